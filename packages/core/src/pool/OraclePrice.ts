import type * as Schedule from '../market/Schedule.ts'
import type { Address } from '../token/Token.ts'

/** The answer of a token's oracle at one block. */
export type OraclePrice = {
  /** The oracle's address; null for the reference dollar, which has none. */
  readonly oracle: Address | null
  /** US dollars per whole token, with eight decimals: 10^8 is one dollar. */
  readonly answer: bigint
  readonly updatedAtSeconds: bigint
  /** The maximum age of a valid answer. */
  readonly maxAgeSeconds: bigint
  /** The longest time between two updates while the market is open, if the deployment declares it. */
  readonly heartbeatSeconds?: number | undefined
  /** The hours of the market of this price, if the deployment declares them. */
  readonly schedule?: Schedule.Schedule | undefined
}

/**
 * Returns whether a price is valid at a block: positive, not from the future, and at most as old as its maximum age.
 */
export function isFresh(price: OraclePrice, nowSeconds: bigint): boolean {
  if (price.answer <= 0n) return false
  if (price.oracle === null) return true
  if (price.updatedAtSeconds <= 0n || price.updatedAtSeconds > nowSeconds) return false
  return nowSeconds - price.updatedAtSeconds <= price.maxAgeSeconds
}
