const probeIntervalMs = 1000

/**
 * Reads the initial state of a fork from its origin node. Caches each result, since the state at the fork's block does
 * not change.
 *
 * After a read that the node does not answer, other reads fail at once until a probe succeeds. The fork cannot serve
 * requests while it waits for a read.
 *
 * @param send sends a request to the node, within a time limit
 */
export function createForkedState(send: SendRequest) {
  const results = new Map<string, unknown>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isAnswering = true

  async function probe(): Promise<void> {
    try {
      await send(probeRequest)
      isAnswering = true
    } catch (error) {
      isAnswering = error instanceof RateLimitedError
      if (!isAnswering) probeLater()
    }
  }
  function probeLater(): void {
    clearTimeout(timer)
    timer = setTimeout(() => void probe(), probeIntervalMs).unref()
  }
  function failFast(error: unknown): undefined {
    if (error instanceof RateLimitedError) throw error
    isAnswering = false
    probeLater()
  }
  return {
    /**
     * Returns the node's reply, or its cached reply. While the node does not answer, returns an error at once for a reply that is
     * not cached.
     *
     * @throws `RateLimitedError`
     */
    async read(request: RpcRequest): Promise<RpcResponse> {
      const key = JSON.stringify([request.method, request.params])
      if (results.has(key) && readsForkBlock(request)) return { result: results.get(key) }
      const reply = isAnswering ? await send(request).catch(failFast) : undefined
      if (reply && 'result' in reply) results.set(key, reply.result)
      // While the node does not answer, the last result of any other read, such as the newest block, is used.
      return reply ?? (results.has(key) ? { result: results.get(key) } : { error: unavailable })
    },
    /** Ends the probing. */
    stop: () => clearTimeout(timer),
  }
}

/** A JSON-RPC request. */
export type RpcRequest = { readonly method: string; readonly params?: readonly unknown[] | undefined }

/** The reply to a JSON-RPC request. */
export type RpcResponse = { readonly result: unknown } | { readonly error: unknown }

/** Sends a JSON-RPC request to a node. */
export type SendRequest = (request: RpcRequest) => Promise<RpcResponse>

/** Thrown when the node temporarily accepts no more requests. The fork retries by itself. */
export class RateLimitedError extends Error {}

const probeRequest: RpcRequest = { method: 'eth_chainId', params: [] }

const unavailable = { code: -32_000, message: 'the node that this chain is forked from does not answer' }

const stateMethods = new Set(['eth_getBalance', 'eth_getCode', 'eth_getStorageAt', 'eth_getTransactionCount'])

/** Returns whether a request reads the state at a block number, which is always the fork's block. */
function readsForkBlock({ method, params = [] }: RpcRequest): boolean {
  return stateMethods.has(method) && /^0x[0-9a-f]+$/.test(String(params.at(-1)))
}
