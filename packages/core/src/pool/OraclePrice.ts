import type { Address } from '../token/Token.ts'

/** What a token's oracle answered, at one block. */
export type OraclePrice = {
  /** The oracle's address; null for the reference dollar, which has none. */
  readonly oracle: Address | null
  /** US dollars per whole token, with eight decimals: 10^8 is one dollar. */
  readonly answer: bigint
  readonly updatedAtSeconds: bigint
  /** How old the answer may be before it no longer counts. */
  readonly maxAgeSeconds: bigint
}

/**
 * Tells whether a price counts at a block: it is positive, not from the future, and not older than its maximum age.
 * A price that is exactly as old as allowed still counts.
 */
export function isPriceFresh(price: OraclePrice, nowSeconds: bigint): boolean {
  if (price.answer <= 0n) return false
  if (price.oracle === null) return true
  if (price.updatedAtSeconds <= 0n || price.updatedAtSeconds > nowSeconds) return false
  return nowSeconds - price.updatedAtSeconds <= price.maxAgeSeconds
}
