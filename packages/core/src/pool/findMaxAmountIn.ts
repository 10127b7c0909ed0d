import * as Amount from '../Amount.ts'
import { getMaxOrigin } from './getMaxOrigin.ts'
import { isPriceFresh } from './OraclePrice.ts'
import type { PoolSide, PoolState } from './PoolState.ts'

/**
 * The largest input of one direction as a decimal; undefined while the pool is frozen or a price stale, and where our maths
 * does not fit the pool.
 */
export function findMaxAmountIn(
  pool: PoolState,
  [origin, target]: readonly [PoolSide, PoolSide],
  nowSeconds: bigint,
): string | undefined {
  if (pool.pricing === 'on-chain' || pool.frozen) return undefined
  if (!isPriceFresh(origin.price, nowSeconds) || !isPriceFresh(target.price, nowSeconds)) return undefined
  return Amount.format(getMaxOrigin(origin, target, pool.alpha), origin.token.decimals)
}
