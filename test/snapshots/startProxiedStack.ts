import { chainIds, type ChainId } from '@agio/core'
import type { Settings } from '@agio/server'
import { startProxy, type Proxy } from '../stack/startProxy.ts'
import { startStack, type Stack } from '../stack/startStack.ts'

/** Starts two local chains and a service of a test's own, with a proxy in front of each node. */
export async function startProxiedStack(settings: Partial<Settings> = {}): Promise<ProxiedStack> {
  await using starting = new AsyncDisposableStack()
  const proxies: Partial<Record<ChainId, Proxy>> = {}
  const stack = await startStack(async ({ chains }) => {
    for (const chainId of chainIds) proxies[chainId] = starting.use(await startProxy(chains[chainId].rpcUrl))
    const urls = Object.entries(proxies).map(([chainId, { url }]) => [chainId, [url]])
    return { ...settings, rpcUrls: Object.fromEntries(urls) as Settings['rpcUrls'] }
  })
  // The service stops before its nodes.
  starting.use(stack)
  const running = starting.move()
  return {
    ...stack,
    proxies: proxies as Readonly<Record<ChainId, Proxy>>,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export type ProxiedStack = Stack & {
  /** The proxy in front of each node. */
  readonly proxies: Readonly<Record<ChainId, Proxy>>
}
