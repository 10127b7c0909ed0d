const stepMs = 500

/**
 * Calls a function once this process has run for a time. A standstill of the process, such as a suspended machine, counts as one
 * step of 500 ms at most: no response can be read meanwhile, and the node has no fault.
 *
 * @returns a function that ends the time limit without the call
 */
export function startTimeLimit(timeoutMs: number, onTimeout: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  function wait(leftMs: number): void {
    const waitMs = Math.min(stepMs, leftMs)
    timer = setTimeout(() => (leftMs > waitMs ? wait(leftMs - waitMs) : onTimeout()), waitMs)
  }
  wait(timeoutMs)
  return () => clearTimeout(timer)
}
