import { findSmallestCurveInput } from '../curve/findCurveInput.ts'
import { getMaxInput } from './getMaxInput.ts'
import { inputIndexOf, type Hop } from './Hop.ts'
import { smallestInput } from './quoteExactOut.ts'

/**
 * Returns the smallest input for which a pool pays at least an output, in raw units; undefined if no input pays it.
 *
 * For a pool priced by our maths, the pool's limit is not checked.
 */
export function getSmallestInput(hop: Hop, amountOutRaw: bigint): bigint | undefined {
  const guessRaw = smallestInput(hop, amountOutRaw)
  const { curve } = hop.pool
  if (!curve) return guessRaw
  return findSmallestCurveInput(curve, { paid: inputIndexOf(hop), amountOutRaw, guessRaw, maxRaw: getMaxInput(hop) })
}
