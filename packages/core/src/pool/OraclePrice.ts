import type * as Schedule from '../market/Schedule.ts'
import type { Address } from '../token/Token.ts'
import type * as PriceFault from './PriceFault.ts'

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
  /** Why the contract of the pool refuses this price at the block, if it refuses it with a known error. */
  readonly fault?: PriceFault.PriceFault | undefined
}

/** Returns whether pools convert at a price at a block. */
export function isValid(price: OraclePrice, nowSeconds: bigint): boolean {
  return findFault(price, nowSeconds) === undefined
}

/**
 * Returns why pools do not convert at a price at a block, in the order of the contract; undefined if they do. A valid price
 * is positive, not from the future, and at most as old as its maximum age, and the contract of the pool accepts it.
 */
export function findFault(price: OraclePrice, nowSeconds: bigint): PriceFault.PriceFault | undefined {
  const { oracle, answer, updatedAtSeconds, maxAgeSeconds, fault } = price
  // The price of the reference dollar is fixed. Only the contract can refuse it.
  if (oracle === null || fault?.reason === 'sequencer') return fault
  if (answer <= 0n) return { reason: 'invalid', feed: oracle, answer }
  const isPast = updatedAtSeconds > 0n && updatedAtSeconds <= nowSeconds
  if (isPast && nowSeconds - updatedAtSeconds <= maxAgeSeconds) return fault
  return { reason: 'age', feed: oracle, updatedAtSeconds, maxAgeSeconds }
}
