import { findSmallestCurveInput } from '../curve/findCurveInput.ts'
import { getMaxInput } from './getMaxInput.ts'
import { inputIndexOf, type Hop } from './Hop.ts'
import { smallestInput } from './quoteExactOut.ts'

/**
 * Returns the smallest input for which a pool pays at least an output, in raw units; undefined if it pays that for none. By our
 * maths it is returned without a check of the pool's limit.
 */
export function getSmallestInput(hop: Hop, amountOutRaw: bigint): bigint | undefined {
  const guessRaw = smallestInput(hop, amountOutRaw)
  const { curve } = hop.pool
  if (!curve) return guessRaw
  return findSmallestCurveInput(curve, { paid: inputIndexOf(hop), amountOutRaw, guessRaw, maxRaw: getMaxInput(hop) })
}
