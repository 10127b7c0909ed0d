import { Network } from '@agio/core'
import type { ChainDescriptorsUserConfig, EdrNetworkUserConfig } from 'hardhat/types/config'

/** The hardforks of each chain, for forks: the latest from block 0. */
export const chainDescriptors: ChainDescriptorsUserConfig = Object.fromEntries(
  Network.all.map(({ chainId, name }) => [
    chainId,
    { name, chainType: 'generic', hardforkHistory: { osaka: { blockNumber: 0 } } },
  ]),
)

/** Returns the name of a local chain in the configuration of Hardhat. */
export function toNetworkName(chainId: Network.ChainId): string {
  return `local${chainId}`
}

/** Returns the name of a fork in the configuration of Hardhat. */
export function toForkName(chainId: Network.ChainId): string {
  return `fork${chainId}`
}

const simulated = new Set(Network.chainIds.flatMap((chainId) => [toNetworkName(chainId), toForkName(chainId)]))

/** Whether a network of Hardhat is one of our local chains or forks. */
export function isSimulated(networkName: string): boolean {
  return simulated.has(networkName)
}

/** Returns the configuration of a local chain. */
export function toLocalNetwork(chainId: Network.ChainId): EdrNetworkUserConfig {
  return {
    type: 'edr-simulated',
    chainType: 'generic',
    chainId,
    // Like a real node: the sender of a transaction that fails gets its hash.
    throwOnTransactionFailures: false,
    // Blocks come faster than seconds while contracts are deployed: the chain's clock must not run ahead.
    allowBlocksWithSameTimestamp: true,
  }
}
