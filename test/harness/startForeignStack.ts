import { connectOwner } from './connectOwner.ts'
import { deployForeignPools, type ForeignContracts, type ForeignMarket } from './deployForeignPools.ts'
import { startProxiedStack } from './startProxiedStack.ts'
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
) {
  let deployed: ForeignMarket | undefined
  const stack = await startProxiedStack({
    nodeTimeoutMs: eventually.timeout,
    prepare: async (localnet) => {
      deployed = await deployForeignPools(localnet, contracts)
      await configure(deployed, localnet.deploymentsDir)
    },
  })
  const market = deployed as unknown as ForeignMarket
  return {
    ...stack,
    market,
    /** The proxy between the service and the node of these pools. */
    proxy: stack.proxies[84532],
    /** The owner of the pools, the oracles and the tokens. */
    owner: connectOwner(market.chain),
    /** Waits until the service has seen the newest block. */
    seen: () => waitForBlock(stack.url, market.chain),
  }
}

export type ForeignStack = Awaited<ReturnType<typeof startForeignStack>>
