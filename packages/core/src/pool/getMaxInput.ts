import type { CurveState } from '../curve/CurveState.ts'
import { findLargestCurveInput } from '../curve/findCurveInput.ts'
import { getMaxOrigin } from './getMaxOrigin.ts'
import { inputIndexOf, type Hop } from './Hop.ts'

// The search takes some hundred steps, and its result stays the same until the next block.
const largestInputs = new WeakMap<CurveState, Map<0 | 1, bigint>>()

/**
 * Returns the largest input of a hop, in raw units; zero if the pool takes none. The pool halts for larger inputs. For
 * a pool priced on chain the result is an estimate.
 */
export function getMaxInput(hop: Hop): bigint {
  const { curve } = hop.pool
  if (!curve) return getMaxOrigin(hop)
  const known = largestInputs.get(curve) ?? new Map<0 | 1, bigint>()
  largestInputs.set(curve, known)
  const paid = inputIndexOf(hop)
  const maxRaw = known.get(paid) ?? findLargestCurveInput(curve, paid)
  known.set(paid, maxRaw)
  return maxRaw
}
