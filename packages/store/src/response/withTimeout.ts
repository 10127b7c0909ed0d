import { Async } from '@agio/core'

/** How long a request waits for a store by default. A hung store must not hang requests. */
export const defaultResponseTimeoutMs = 250

/** Returns the response of a store within a time limit, without the time for which this process stood still. */
export async function withTimeout<Value>(response: Promise<Value>, timeoutMs: number): Promise<Value> {
  const toError = () => new Error(`Cannot use the response: it did not arrive within ${timeoutMs} ms`)
  return await Async.withTimeLimit(timeoutMs, response, toError)
}
