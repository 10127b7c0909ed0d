// A timer that fires this much too late shows that the process stood still, for example with its machine.
const stallMs = 1000

/**
 * Calls a function after a time limit. If the process stood still in this time, the limit starts again, because the process has
 * not received what arrived meanwhile.
 *
 * @returns a function that cancels the call
 */
export function startTimeLimit(timeoutMs: number, onTimeout: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  function start(): void {
    const dueAtMs = performance.now() + timeoutMs
    timer = setTimeout(() => (performance.now() - dueAtMs > stallMs ? start() : onTimeout()), timeoutMs)
  }
  start()
  return () => clearTimeout(timer)
}
