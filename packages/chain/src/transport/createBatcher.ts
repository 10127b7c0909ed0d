import type { RpcRequest } from './NodeLink.ts'

// Nodes commonly accept this many requests in a batch.
const maxBatchSize = 1000

/** Creates a function that sends the requests of one tick together, and returns the result of each. */
export function createBatcher(send: (batch: readonly RpcRequest[]) => Promise<readonly BatchResult[]>): Batcher {
  let waiting: Waiting[] = []

  async function flush(): Promise<void> {
    const batch = waiting
    waiting = []
    try {
      const results = await send(batch.map(({ request }) => request))
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index]
        if (result && 'value' in result) resolve(result.value)
        else reject(result?.error)
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
  return (request) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    if (waiting.length === 0) {
      const batch = waiting
      setTimeout(() => batch === waiting && void flush(), 0)
    }
    waiting.push({ request, resolve, reject })
    if (waiting.length === maxBatchSize) void flush()
    return promise
  }
}

/** The result of a request of a batch, or its error. */
export type BatchResult = { readonly value: unknown } | { readonly error: Error }

/** Sends a request with the next batch. @throws the error of the request, or of its whole batch */
type Batcher = (request: RpcRequest) => Promise<unknown>

type Waiting = {
  readonly request: RpcRequest
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}
