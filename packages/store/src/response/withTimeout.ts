import { Async } from '@agio/core'

/** How long a request waits for a store by default. A hung store must not hang requests. */
export const defaultResponseTimeoutMs = 250

// A timer this late means that the process itself was stalled.
const stallMs = 50

/** Returns the response of a store within a time limit, without the time for which this process stood still. */
export async function withTimeout<Value>(response: Promise<Value>, timeoutMs: number): Promise<Value> {
  const toError = () => new Error(`Cannot use the response: it did not arrive within ${timeoutMs} ms`)
  return await Async.withTimeLimit(timeoutMs, response, toError)
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
