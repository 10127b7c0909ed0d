/**
 * The EVM networks that the service converts on. An entry adds a network to the settings, the local chains, Hardhat and the
 * API; to be served, a network also needs its deployment file.
 */
export const networks = [
  { chainId: 84532, name: 'Base Sepolia', slug: 'baseSepolia' },
  { chainId: 421614, name: 'Arbitrum Sepolia', slug: 'arbitrumSepolia' },
] as const satisfies readonly Network[]

type Network = {
  readonly chainId: number
  /** viem's name of the chain. */
  readonly name: string
  /** viem's identifier of the chain, and its name for `contracts:deploy --network`. */
  readonly slug: string
}

export type ChainId = (typeof networks)[number]['chainId']

/** The network of a request that names none. */
export const defaultChainId: ChainId = 84532

/** The ids of all networks, in the order of the table. */
export const chainIds: readonly ChainId[] = networks.map(({ chainId }) => chainId)

/** The name of each network. */
export const chainNames: Readonly<Record<ChainId, string>> = mapChains((_, { name }) => name)

/** Returns whether a number is the id of a supported network. */
export function isChainId(value: number): value is ChainId {
  return (chainIds as readonly number[]).includes(value)
}

/** Returns a record with one value for each network. */
export function mapChains<Value>(
  toValue: (chainId: ChainId, network: (typeof networks)[number]) => Value,
): Readonly<Record<ChainId, Value>> {
  const entries = networks.map((network) => [network.chainId, toValue(network.chainId, network)])
  return Object.fromEntries(entries) as Record<ChainId, Value>
}

/**
 * Returns the port of a network's local chain: the networks take consecutive ports, in the order of the table.
 *
 * @param firstPort the port of the first network; 0 stands for any free port and is returned as it is
 */
export function toLocalRpcPort(chainId: ChainId, firstPort: number = defaultFirstRpcPort): number {
  return firstPort === 0 ? 0 : firstPort + chainIds.indexOf(chainId)
}

/** The port of the first local chain by default. */
export const defaultFirstRpcPort = 8545
