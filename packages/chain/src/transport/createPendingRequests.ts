import { Async } from '@agio/core'
import type { RpcRequest } from './NodeLink.ts'

// Late responses to earlier requests count as unknown. A node that never responds must not fill the memory.
const maxTimedOut = 1000

/** Creates the table of a connection's requests that have no response yet, each with a time limit. */
export function createPendingRequests({ timeoutMs, onTimeout }: createPendingRequests.Dependencies) {
  const pending = new Map<number, PendingRequest & { readonly cancel: () => void }>()
  const timedOutIds = new Set<unknown>()
  let lastId = 0

  function take(id: number): PendingRequest | undefined {
    const taken = pending.get(id)
    pending.delete(id)
    taken?.cancel()
    return taken
  }
  function timeOut(id: number): void {
    const timedOut = take(id)
    timedOutIds.add(id)
    const [oldest] = timedOutIds
    if (timedOutIds.size > maxTimedOut) timedOutIds.delete(oldest)
    if (timedOut) onTimeout(timedOut)
  }
  return {
    /** Starts the time limit of a request, and returns its id and its response. */
    add(request: RpcRequest): { readonly id: number; readonly response: Promise<unknown> } {
      const id = ++lastId
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      const cancel = Async.startTimeLimit(timeoutMs, () => timeOut(id))
      pending.set(id, { request, startedAtMs: performance.now(), resolve, reject, cancel })
      return { id, response: promise }
    },
    /** Removes and returns a request; undefined if no request has this id. */
    take,
    /**
     * Returns whether a response belongs to a request that timed out; true only once for each request,
     * and only for the last 1,000 requests that timed out.
     */
    takeTimedOut: (id: unknown) => timedOutIds.delete(id),
    ids: () => [...pending.keys()],
    list: () => [...pending].map(([id, { request }]) => ({ id, request })),
    isEmpty: () => pending.size === 0,
  }
}

export declare namespace createPendingRequests {
  type Dependencies = {
    readonly timeoutMs: number
    /** Called with each request that got no response in time. */
    readonly onTimeout: (request: PendingRequest) => void
  }
}

/** The requests of a connection that have no response yet. */
export type PendingRequests = ReturnType<typeof createPendingRequests>

/** A request without a response, and how to settle it. */
export type PendingRequest = {
  readonly request: RpcRequest
  readonly startedAtMs: number
  resolve(result: unknown): void
  reject(error: Error): void
}
