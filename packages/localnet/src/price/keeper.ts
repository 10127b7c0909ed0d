import type { Network, Address } from '@agio/core'
import type { DeployedChain, LocalChain } from '../chain/LocalChain.ts'
import { toProvider, toTransport, type Provider } from '../chain/Provider.ts'
import { createWalletClient, publicActions, parseAbi } from 'viem'

/** The functions of a test oracle that the keeper and the scenarios call. */
export const oracleAbi = parseAbi([
  'function owner() view returns (address)',
  'function latestRoundData() view returns (uint80, int256 answer, uint256 startedAt, uint256 updatedAt, uint80)',
  'function updateAnswer(int256 answer)',
  'function setRound(int256 answer, uint256 updatedAt)',
])

/**
 * The largest change of a price from one round to the next, as a fraction with 18 decimals: a tenth. Currencies move less
 * between two rounds, also over a weekend.
 */
export const maxStep = 10n ** 17n

/**
 * Pushes the current answer of every price feed of a chain again, so that prices stay fresh and do not change.
 *
 * @throws `Error` if a push is not mined in time, or reverts
 */
export async function pushPrices(chain: LocalChain): Promise<void> {
  await pushPricesOver(toProvider(chain.rpcUrl, { retryCount: 1 }), chain)
}

/** Pushes the prices of a chain over a provider. @see `pushPrices` */
export async function pushPricesOver(provider: Provider, chain: DeployedChain): Promise<void> {
  const { chainId, oracles, referenceFeed } = chain
  const client = createWalletClient({ transport: toTransport(provider), pollingInterval: 50 }).extend(publicActions)
  const push = async (address: Address): Promise<void> => {
    const oracle = { address, abi: oracleAbi } as const
    const [account, [, answer]] = await Promise.all([
      client.readContract({ ...oracle, functionName: 'owner' }),
      client.readContract({ ...oracle, functionName: 'latestRoundData' }),
    ])
    // The node signs, since the owner is one of its accounts or impersonated. A fixed gas limit saves an estimate.
    const call = { functionName: 'updateAnswer', args: [answer], gas: 200_000n } as const
    const write = { ...oracle, ...call, account, chain: null } as const
    const hash = await client.writeContract(write)
    const { status } = await client.waitForTransactionReceipt({ hash, timeout: 30_000 })
    if (status !== 'success') throw new Error(`Cannot push prices on chain ${chainId}: transaction ${hash} reverted`)
  }
  for (const oracle of Object.values(oracles)) await push(oracle)
  if (referenceFeed) await push(referenceFeed)
}

/**
 * Pushes the prices of chains at an interval until it is stopped. Skips a chain while its last push is in progress. The
 * timer does not keep the process alive.
 */
export function startKeeper<Chain extends DeployedChain>(
  chains: readonly Chain[],
  { push, intervalMs, onFailure }: startKeeper.Options<Chain>,
): Keeper {
  const pushes = new Map<Network.ChainId, Promise<void>>()
  const pauses = new Map<symbol, Network.ChainId>()
  let nextPushMs = Date.now() + intervalMs
  const tick = () => {
    if (Date.now() < nextPushMs) return
    nextPushMs = Date.now() + intervalMs
    const paused = new Set(pauses.values())
    for (const chain of chains) {
      const { chainId } = chain
      if (paused.has(chainId) || pushes.has(chainId)) continue
      const pushing = push(chain)
        .catch(onFailure)
        .finally(() => pushes.delete(chainId))
      pushes.set(chainId, pushing)
    }
  }
  // Timers pause while the machine sleeps, but the chains' clock does not. So the keeper checks the wall clock often.
  const timer = setInterval(tick, Math.min(intervalMs, 10_000)).unref()
  return {
    async pause(chainId) {
      const pause = Symbol('pause')
      pauses.set(pause, chainId)
      await pushes.get(chainId)
      return () => void pauses.delete(pause)
    },
    stop: () => clearInterval(timer),
  }
}

export declare namespace startKeeper {
  type Options<Chain> = {
    /** Pushes the prices of a chain. */
    readonly push: (chain: Chain) => Promise<void>
    readonly intervalMs: number
    readonly onFailure: (error: unknown) => void
  }
}

/** Keeps the prices of the local chains fresh. */
export type Keeper = {
  /**
   * Stops pushing the prices of a chain after a push in progress has finished.
   *
   * @returns a function that ends the pause. The keeper pushes again once every pause of the chain has ended
   */
  pause(chainId: Network.ChainId): Promise<() => void>
  stop(): void
}
