import { connectOwner, type Owner } from './connectOwner.ts'
import { deployForeignPools, type ForeignContracts, type ForeignMarket } from './deployForeignPools.ts'
import { startProxy, type Proxy } from './startProxy.ts'
import { startAgio, type AgioStack } from './startAgio.ts'
import { eventually } from './timeLimits.ts'
import { waitForBlock } from './waitForBlock.ts'

/**
 * Starts a service over foreign pools, with a proxy in front of their node.
 *
 * @param configure changes the deployment before the service starts
 * @param contracts our router and variants of the family by default
 */
export async function startForeignStack(
  configure: (market: ForeignMarket, deploymentsDir: string) => Promise<void> = () => Promise.resolve(),
  contracts?: ForeignContracts,
): Promise<ForeignStack> {
  await using starting = new AsyncDisposableStack()
  let deployed: { readonly market: ForeignMarket; readonly proxy: Proxy } | undefined
  const stack = await startAgio({
    nodeTimeoutMs: eventually.timeout,
    prepare: async (localnet) => {
      const { rpcUrl } = localnet.chains[84532]
      deployed = {
        market: await deployForeignPools(localnet, contracts),
        proxy: starting.use(await startProxy(rpcUrl)),
      }
      await configure(deployed.market, localnet.deploymentsDir)
      return { rpcUrls: { 84532: [deployed.proxy.url] } }
    },
  })
  // The service stops before its node does.
  starting.use(stack)
  if (!deployed) throw new Error('Cannot start the service: nothing is deployed')
  const owner = connectOwner(deployed.market.chain)
  const { chain } = deployed.market
  const running = starting.move()
  return {
    ...stack,
    ...deployed,
    owner,
    seen: () => waitForBlock(stack.url, chain),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export type ForeignStack = AgioStack & {
  readonly market: ForeignMarket
  /** The proxy between the service and the node of these pools. */
  readonly proxy: Proxy
  /** The owner of the pools, the oracles and the tokens. */
  readonly owner: Owner
  /** Waits until the service has seen the newest block. */
  seen(): Promise<void>
}
