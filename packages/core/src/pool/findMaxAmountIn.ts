import * as Amount from '../amount/Amount.ts'
import { getMaxInput } from './getMaxInput.ts'
import { isPriceFresh } from './OraclePrice.ts'
import type { PoolSide, PoolState } from './PoolState.ts'

/**
 * Returns the largest input in one direction, as a decimal of the input token; undefined if the pool is frozen, if a price is
 * stale, or if the pool is priced on chain.
 */
export function findMaxAmountIn(
  pool: PoolState,
  [origin, target]: readonly [PoolSide, PoolSide],
  nowSeconds: bigint,
): string | undefined {
  if (pool.pricing === 'on-chain' || pool.frozen) return undefined
  if (!isPriceFresh(origin.price, nowSeconds) || !isPriceFresh(target.price, nowSeconds)) return undefined
  return Amount.format(getMaxInput(pool, [origin, target]), origin.token.decimals)
}
