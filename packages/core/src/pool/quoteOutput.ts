import * as Amount from '../amount/Amount.ts'
import type { CurveState } from '../curve/CurveState.ts'
import { findNearestCurveInput } from '../curve/findCurveInput.ts'
import { CurveRevert } from '../curve/fixedPoint.ts'
import { executeCurve } from '../curve/quoteCurve.ts'
import * as Errors from '../errors/Errors.ts'
import type { ServiceError } from '../errors/ServiceError.ts'
import type { Token } from '../token/Token.ts'
import { aboveLimit, amountTooSmall, assertQuotable } from './assertQuotable.ts'
import { getMaxInput } from './getMaxInput.ts'
import { inputIndexOf, type Hop } from './Hop.ts'
import { quoteExactIn } from './quoteExactIn.ts'

/**
 * Returns what a pool that is not priced on chain pays for an exact input when it is executed, in raw units.
 *
 * @param nowSeconds the timestamp of the block of the state
 * @throws the errors of `quoteExactIn`, and `svc/no-convergence` for an amount that the curve of the family does not
 * price
 */
export function quoteOutput(hop: Hop, amountInRaw: bigint, nowSeconds: bigint): bigint {
  const { curve } = hop.pool
  if (!curve) return quoteExactIn(hop, amountInRaw, nowSeconds).amountOutRaw
  assertQuotable(hop, amountInRaw, nowSeconds)
  const amountOutRaw = execute(hop, curve, amountInRaw)
  if (amountOutRaw === 0n) throw amountTooSmall(hop)
  return amountOutRaw
}

function execute(hop: Hop, curve: CurveState, amountInRaw: bigint): bigint {
  const { token } = hop.origin
  const swap = { paid: inputIndexOf(hop), amountRaw: amountInRaw }
  try {
    return executeCurve(curve, swap)
  } catch (error) {
    if (!(error instanceof CurveRevert)) throw error
    if (error.reason !== 'Curve/swap-convergence-failed') throw aboveLimit(token, amountInRaw, getMaxInput(hop))
    throw withoutConvergence(token, amountInRaw, findNearestCurveInput(curve, swap))
  }
}

/**
 * Returns the error for an amount for which the iteration of a pool's curve does not converge.
 *
 * @param nearestRaw the nearest amount that the pool prices, if the search found one
 */
export function withoutConvergence(
  { symbol, decimals }: Token,
  amountInRaw: bigint,
  nearestRaw?: bigint,
): ServiceError<'svc/no-convergence'> {
  const amountIn = Amount.format(amountInRaw, decimals)
  if (nearestRaw === undefined) return Errors.noConvergence({ symbol, amountIn })
  return Errors.noConvergence({ symbol, amountIn, nearestAmountIn: Amount.format(nearestRaw, decimals) })
}
