import { http } from 'viem'
import type { Endpoint, Link } from './Link.ts'
import { readWhole } from './readWhole.ts'

/**
 * Reaches a node over HTTP. Calls that are made in the same tick travel as one JSON-RPC batch, but for the question for the
 * chain's id: all who call meanwhile wait for it, and must not wait for whatever is slow in its batch.
 */
export function createHttp({ url, timeoutMs, fetch }: createHttp.Settings): Endpoint {
  const options = { timeout: timeoutMs, retryCount: 0, fetchFn: readWhole(fetch) }
  const { request: askTogether } = http(url, { ...options, batch: { wait: 0 } })({})
  const { request: askAlone } = http(url, options)({})
  const link: Link = {
    ask(body) {
      const request = body.method === 'eth_chainId' ? askAlone : askTogether
      return request(body as Parameters<typeof request>[0])
    },
  }
  return { workOver: (work) => work(link), stop() {} }
}

export declare namespace createHttp {
  type Settings = {
    readonly url: string
    /** How long an answer may take, its body included. */
    readonly timeoutMs: number
    readonly fetch: typeof globalThis.fetch
  }
}
