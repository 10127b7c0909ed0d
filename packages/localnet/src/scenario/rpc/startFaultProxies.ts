import { chainIds, type ChainId } from '@agio/core'
import type { Localnet } from '../../startLocalnet.ts'
import { startFaultProxy, type FaultProxy } from './startFaultProxy.ts'

/**
 * Starts a proxy before the node of each chain, on a free port, for the `rpc-*` scenarios.
 *
 * @example
 * await using proxies = await startFaultProxies(localnet)
 * const rpcUrls = mapChains((chainId) => [proxies[chainId].url])
 */
export async function startFaultProxies({ chains }: Pick<Localnet, 'chains'>): Promise<FaultProxies> {
  await using starting = new AsyncDisposableStack()
  const proxies: [ChainId, FaultProxy][] = []
  for (const chainId of chainIds) {
    proxies.push([chainId, starting.use(await startFaultProxy(chains[chainId].rpcUrl))])
  }
  const running = starting.move()
  const byChain = Object.fromEntries(proxies) as Record<ChainId, FaultProxy>
  return { ...byChain, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

export type FaultProxies = AsyncDisposable & Readonly<Record<ChainId, FaultProxy>>
