/** A 20-byte address in EIP-55 spelling. */
export type Address = `0x${string}`

export type Token = {
  readonly address: Address
  readonly symbol: string
  readonly name: string
  /** Fractional digits of one whole token: raw units are `10 ** decimals` to one. */
  readonly decimals: number
}
