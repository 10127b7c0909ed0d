/** How long a request waits for a store by default. A hung store must not hang requests. */
export const defaultResponseTimeoutMs = 250

// A timer this late means that the process itself was stalled.
const stallMs = 50

/**
 * Returns a promise's value, or rejects after a time-out. If this process stalled meanwhile, it could not receive a
 * response, so the function waits once more.
 */
export async function withTimeout<Value>(response: Promise<Value>, timeoutMs: number): Promise<Value> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const startedMs = performance.now()
  const giveUp = () => reject(new Error(`Cannot use the response: it did not arrive within ${timeoutMs} ms`))
  let timer = setTimeout(() => {
    const stalledMs = performance.now() - startedMs - timeoutMs
    if (stalledMs > stallMs) timer = setTimeout(giveUp, timeoutMs)
    else giveUp()
  }, timeoutMs)
  return await Promise.race([response, timeout]).finally(() => clearTimeout(timer))
}

/**
 * Connects to a server, by a function with a time-out of its own. If this process stalled until that time-out, it could
 * not notice the connection, so the function connects once more.
 */
export async function connectDespiteStall<Value>(connect: () => Promise<Value>, timeoutMs: number): Promise<Value> {
  const startedMs = performance.now()
  try {
    return await connect()
  } catch (error) {
    if (performance.now() - startedMs < timeoutMs + stallMs) throw error
    return await connect()
  }
}
