/**
 * The EVM networks that the service converts on. An entry adds a network to the settings, the local chains, Hardhat and
 * the API. To be served, a network also needs a deployment file.
 */
export const all = [
  {
    chainId: 84532,
    name: 'Base Sepolia',
    slug: 'baseSepolia',
    nativeCurrency: { name: 'Sepolia Ether', symbol: 'ETH', decimals: 18 },
    blockExplorer: { name: 'Basescan', url: 'https://sepolia.basescan.org' },
    finalityDepths: { safe: 150, finalized: 900 },
    feeCeilings: { maxBaseFeeWei: 500_000_000_000n, maxTipWei: 10_000_000_000n },
  },
  {
    chainId: 421614,
    name: 'Arbitrum Sepolia',
    slug: 'arbitrumSepolia',
    nativeCurrency: { name: 'Arbitrum Sepolia Ether', symbol: 'ETH', decimals: 18 },
    blockExplorer: { name: 'Arbiscan', url: 'https://sepolia.arbiscan.io' },
    finalityDepths: { safe: 1_200, finalized: 7_200 },
    feeCeilings: { maxBaseFeeWei: 500_000_000_000n, maxTipWei: 10_000_000_000n },
  },
] as const satisfies readonly Network[]

/** The facts about a network that need no node, as viem defines them. */
export type Network = {
  readonly chainId: number
  /** viem's name of the chain. */
  readonly name: string
  /** viem's identifier of the chain, which is also the name for `contracts:deploy --network`. */
  readonly slug: string
  /** The currency that pays for gas. */
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number }
  /** The web page that shows the blocks of the network; null if the network has none. */
  readonly blockExplorer: { readonly name: string; readonly url: string } | null
  /**
   * The number of blocks that must follow a block before it counts as safe or finalized, for nodes without `safe` and
   * `finalized` tags. The numbers are the blocks of five and of thirty minutes.
   */
  readonly finalityDepths: { readonly safe: number; readonly finalized: number }
  /** The largest base fee and tip that the service offers, in wei per gas, even if nodes return more. */
  readonly feeCeilings: { readonly maxBaseFeeWei: bigint; readonly maxTipWei: bigint }
}

/** Contracts that have the same address on nearly all networks. Anyone may take the tokens that they hold. */
export const commonContracts = {
  /** @see https://github.com/Uniswap/permit2 */
  permit2: '0x000000000022D473030F116dDEE9F6B43aC78BA3',
  /** @see https://github.com/mds1/multicall3 */
  multicall3: '0xcA11bde05977b3631167028862bE2a173976CA11',
} as const

/** The chain id of a network of the table. */
export type ChainId = (typeof all)[number]['chainId']

/** The network of a request that does not name one. */
export const defaultChainId: ChainId = 84532

/** The ids of all networks, in the order of the table. */
export const chainIds: readonly ChainId[] = all.map(({ chainId }) => chainId)

/** Returns the facts about a network. */
export function get(chainId: ChainId): Network {
  return networksById[chainId]
}

const networksById: Readonly<Record<ChainId, Network>> = map((_, network) => network)

/** The name of each network. */
export const names: Readonly<Record<ChainId, string>> = map((_, { name }) => name)

/** Returns whether a number is the id of a supported network. */
export function isChainId(value: number): value is ChainId {
  return (chainIds as readonly number[]).includes(value)
}

/** Returns a record with one value for each network. */
export function map<Value>(
  toValue: (chainId: ChainId, network: (typeof all)[number]) => Value,
): Readonly<Record<ChainId, Value>> {
  const entries = all.map((network) => [network.chainId, toValue(network.chainId, network)])
  return Object.fromEntries(entries) as Record<ChainId, Value>
}

/**
 * Returns the port of a network's local chain. The networks take consecutive ports, in the order of the table.
 *
 * @param firstPort the port of the first network; 0 means any free port and is returned unchanged
 */
export function toLocalRpcPort(chainId: ChainId, firstPort: number = defaultFirstRpcPort): number {
  return firstPort === 0 ? 0 : firstPort + chainIds.indexOf(chainId)
}

/** The default port of the first local chain. */
export const defaultFirstRpcPort = 8545
