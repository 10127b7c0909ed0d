/** A 20-byte address with its EIP-55 checksum. */
export type Address = `0x${string}`

/** An ERC-20 token. */
export type Token = {
  readonly address: Address
  readonly symbol: string
  readonly name: string
  /** The number of fractional digits: one whole token is `10 ** decimals` raw units. */
  readonly decimals: number
}
