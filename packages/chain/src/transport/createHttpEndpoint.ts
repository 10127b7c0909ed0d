import { http } from 'viem'
import { bufferResponse } from './bufferResponse.ts'
import type { Endpoint, NodeLink } from './NodeLink.ts'

/**
 * Connects to a node over HTTP. Requests of the same tick form one JSON-RPC batch, except `eth_chainId`. Every other
 * request waits for the response of `eth_chainId`, which must not wait for the slowest request of a batch.
 */
export function createHttpEndpoint({ url, timeoutMs, fetch }: createHttpEndpoint.Settings): Endpoint {
  const options = { timeout: timeoutMs, retryCount: 0, fetchFn: bufferResponse(fetch) }
  const { request: requestBatched } = http(url, { ...options, batch: { wait: 0 } })({})
  const { request: requestAlone } = http(url, options)({})
  const link: NodeLink = {
    request(request) {
      const send = request.method === 'eth_chainId' ? requestAlone : requestBatched
      return send(request as Parameters<typeof send>[0])
    },
  }
  return { withLink: (work) => work(link), stop() {} }
}

export declare namespace createHttpEndpoint {
  type Settings = {
    readonly url: string
    /** The time limit of a response, including its body. */
    readonly timeoutMs: number
    readonly fetch: typeof globalThis.fetch
  }
}
