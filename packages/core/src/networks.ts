/** The EVM networks that the service converts on. */
export const chainIds = [84532, 421614] as const

export type ChainId = (typeof chainIds)[number]

/** What each network is called, by the names that viem gives them. */
export const chainNames: Readonly<Record<ChainId, string>> = { 84532: 'Base Sepolia', 421614: 'Arbitrum Sepolia' }

/** The network of a request that names none. */
export const defaultChainId: ChainId = 84532

/** Tells whether a number is the id of a supported network. */
export function isChainId(value: number): value is ChainId {
  return (chainIds as readonly number[]).includes(value)
}
