import { Network } from '@agio/core'
import type { Localnet } from '@agio/localnet'
import { startAgio } from './startAgio.ts'
import { startProxy, type Proxy } from './startProxy.ts'

/**
 * Starts the local chains and a separate service for a test, with a proxy in front of each node.
 *
 * @param options.prepare changes the chains and the proxies before the service starts, and returns further settings
 */
export async function startProxiedStack({ prepare, ...settings }: Options = {}) {
  await using starting = new AsyncDisposableStack()
  const proxies = {} as Record<Network.ChainId, Proxy>
  const stack = await startAgio({
    ...settings,
    async prepare(localnet) {
      for (const chainId of Network.chainIds)
        proxies[chainId] = starting.use(await startProxy(localnet.chains[chainId].rpcUrl))
      return { ...(await prepare?.(localnet, proxies)), rpcUrls: Network.map((chainId) => [proxies[chainId].url]) }
    },
  })
  // The service stops before its nodes.
  starting.use(stack)
  const running = starting.move()
  const stop = () => running.disposeAsync()
  return { ...stack, proxies, stop, [Symbol.asyncDispose]: stop }
}

type Options = startAgio.Changes & {
  readonly prepare?:
    | ((localnet: Localnet, proxies: Proxies) => startAgio.Changes | Promise<startAgio.Changes | void> | void)
    | undefined
}

type Proxies = Readonly<Record<Network.ChainId, Proxy>>

export type ProxiedStack = Awaited<ReturnType<typeof startProxiedStack>>
