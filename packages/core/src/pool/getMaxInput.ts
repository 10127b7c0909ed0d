import type { CurveState } from '../curve/CurveState.ts'
import { findLargestCurveInput } from '../curve/findCurveInput.ts'
import { getMaxOrigin } from './getMaxOrigin.ts'
import { indexOf } from './indexOf.ts'
import type { PoolSide, PoolState } from './PoolState.ts'

// A search of some hundred steps, whose result stays the same until the next block.
const largestInputs = new WeakMap<CurveState, Map<0 | 1, bigint>>()

/**
 * Returns the largest input of a pool in one direction, in raw units: the pool halts for larger ones. Zero if it takes none. That of
 * a pool priced on chain is an estimate.
 */
export function getMaxInput(pool: PoolState, [origin, target]: readonly [PoolSide, PoolSide]): bigint {
  const { curve } = pool
  if (!curve) return getMaxOrigin(origin, target, pool.alpha)
  const known = largestInputs.get(curve) ?? new Map<0 | 1, bigint>()
  largestInputs.set(curve, known)
  const paid = indexOf(pool, origin)
  const maxRaw = known.get(paid) ?? findLargestCurveInput(curve, paid)
  known.set(paid, maxRaw)
  return maxRaw
}
