import * as Amount from '../amount/Amount.ts'
import { getMaxInput } from './getMaxInput.ts'
import type { Hop } from './Hop.ts'
import { isPriceFresh } from './OraclePrice.ts'

/**
 * Returns the largest input of a hop, as a decimal of the input token. Returns undefined if the pool is frozen, if a
 * price is stale, or if the pool is priced on chain.
 */
export function findMaxAmountIn(hop: Hop, nowSeconds: bigint): string | undefined {
  const { pool, origin, target } = hop
  if (pool.pricing === 'on-chain' || pool.frozen) return undefined
  if (!isPriceFresh(origin.price, nowSeconds) || !isPriceFresh(target.price, nowSeconds)) return undefined
  return Amount.format(getMaxInput(hop), origin.token.decimals)
}
