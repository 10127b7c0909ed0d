import { findSmallestCurveInput } from '../curve/findCurveInput.ts'
import { getMaxInput } from './getMaxInput.ts'
import { indexOf } from './indexOf.ts'
import type { PoolSide, PoolState } from './PoolState.ts'
import { smallestInput } from './quoteExactOut.ts'

/**
 * Returns the smallest input for which a pool pays at least an output, in raw units; undefined if it pays that for none. By our
 * maths it is returned without a check of the pool's limit.
 */
export function getSmallestInput(
  pool: PoolState,
  [origin, target]: readonly [PoolSide, PoolSide],
  amountOutRaw: bigint,
): bigint | undefined {
  const guessRaw = smallestInput(origin, target, { amountOutRaw, epsilon: pool.epsilon })
  if (!pool.curve) return guessRaw
  const maxRaw = getMaxInput(pool, [origin, target])
  return findSmallestCurveInput(pool.curve, { paid: indexOf(pool, origin), amountOutRaw, guessRaw, maxRaw })
}
