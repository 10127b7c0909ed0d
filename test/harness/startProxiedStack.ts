import { chainIds, mapChains, type ChainId } from '@agio/core'
import type { Localnet } from '@agio/localnet'
import type { SettingsChanges } from './settingsFor.ts'
import { startProxy, type Proxy } from './startProxy.ts'
import { startStack, type Stack } from './startStack.ts'

/**
 * Starts two local chains and a service of a test's own, with a proxy in front of each node.
 *
 * @param configure changes the chains and the proxies before the service starts, and returns its settings
 */
export async function startProxiedStack(configure: startProxiedStack.Configure = () => ({})): Promise<ProxiedStack> {
  await using starting = new AsyncDisposableStack()
  const proxies = {} as Record<ChainId, Proxy>
  const stack = await startStack(async (localnet) => {
    for (const chainId of chainIds) proxies[chainId] = starting.use(await startProxy(localnet.chains[chainId].rpcUrl))
    return { ...(await configure(localnet, proxies)), rpcUrls: mapChains((chainId) => [proxies[chainId].url]) }
  })
  // The service stops before its nodes.
  starting.use(stack)
  const running = starting.move()
  return { ...stack, proxies, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

export declare namespace startProxiedStack {
  type Configure = (localnet: Localnet, proxies: Proxies) => SettingsChanges | Promise<SettingsChanges>
}

type Proxies = Readonly<Record<ChainId, Proxy>>

export type ProxiedStack = Stack & {
  /** The proxy in front of each node. */
  readonly proxies: Proxies
}
