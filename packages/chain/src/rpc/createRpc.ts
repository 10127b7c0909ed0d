import type { ChainId } from '@agio/core'
import { createPublicClient, fallback, http } from 'viem'
import { arbitrumSepolia, baseSepolia } from 'viem/chains'
import { readWhole } from './readWhole.ts'

const networks = { 84532: baseSepolia, 421614: arbitrumSepolia } as const

const timeoutMs = 4000
// One call's time over all URLs.
const totalMs = 10_000

/**
 * Opens the two clients of a chain over its upstream URLs, in order of preference: calls made in the same tick travel as
 * one JSON-RPC batch.
 *
 * Each URL has 4 s, and all have 10 s together; a read with one URL is tried twice. A send is tried once: what became of a
 * transaction is decided by its hash.
 */
export function createRpc({ chainId, urls, fetch = globalThis.fetch }: createRpc.Settings) {
  const chain = networks[chainId]
  const options = {
    batch: { wait: 0 },
    timeout: Math.min(timeoutMs, totalMs / urls.length),
    retryCount: 0,
    fetchFn: readWhole(fetch),
  }
  const transports = urls.map((url) => http(url, options))
  return {
    chainName: chain.name,
    reads: createPublicClient({
      chain,
      transport: fallback(transports, { retryCount: urls.length === 1 ? 1 : 0, retryDelay: 150 }),
    }),
    sends: createPublicClient({ chain, transport: fallback(transports, { retryCount: 0 }) }),
  }
}

export declare namespace createRpc {
  type Settings = {
    readonly chainId: ChainId
    readonly urls: readonly string[]
    /** The `fetch` that carries the calls; the runtime's own by default. */
    readonly fetch?: typeof globalThis.fetch | undefined
  }
}

export type Rpc = ReturnType<typeof createRpc>
