/** How long a request waits for a store, by default: it must not hang because a store does. */
export const defaultResponseTimeoutMs = 250

// A timer that fires this late shows that the process itself could not run.
const stallMs = 50

/**
 * Returns a promise's value, or rejects after a time-out. If this process stalled meanwhile, it waits once more, since it
 * could not have received a response.
 */
export async function withTimeout<Value>(response: Promise<Value>, timeoutMs: number): Promise<Value> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const startedMs = performance.now()
  const giveUp = () => reject(new Error(`Cannot use the response: none arrived within ${timeoutMs} ms`))
  let timer = setTimeout(() => {
    const stalledMs = performance.now() - startedMs - timeoutMs
    if (stalledMs > stallMs) timer = setTimeout(giveUp, timeoutMs)
    else giveUp()
  }, timeoutMs)
  return await Promise.race([response, timeout]).finally(() => clearTimeout(timer))
}
