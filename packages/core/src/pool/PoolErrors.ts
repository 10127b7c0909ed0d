import * as Amount from '../amount/Amount.ts'
import * as Errors from '../errors/Errors.ts'
import { formatSymbol } from '../errors/formatSymbol.ts'
import type { ServiceError } from '../errors/ServiceError.ts'
import type { Token } from '../token/Token.ts'
import type * as Pool from './Pool.ts'

/**
 * Returns the error for an amount above the largest input of a pool, or of two pools in sequence.
 *
 * @param maxRaw the largest input, in raw units of the input token; undefined if it is unknown
 */
export function aboveLimit(
  { symbol, decimals }: Token,
  amountInRaw: bigint,
  maxRaw?: bigint,
): ServiceError<'svc/above-max-origin'> {
  const amountIn = Amount.format(amountInRaw, decimals)
  if (maxRaw === undefined) return Errors.aboveMaxOrigin({ symbol, amountIn })
  return Errors.aboveMaxOrigin({ symbol, amountIn, maxAmountIn: Amount.format(maxRaw, decimals) })
}

/** Returns the error for an amount whose output from one side to the other is zero after rounding and the fee. */
export function amountTooSmall({
  origin,
  target,
}: Readonly<Record<'origin' | 'target', Pool.Side>>): ServiceError<'svc/amount-too-small'> {
  return Errors.amountTooSmall({
    action: `convert this amount of ${formatSymbol(origin.token.symbol)}`,
    reason: `the output after the fee is less than one raw unit of ${formatSymbol(target.token.symbol)}`,
  })
}

/**
 * Returns the error for an amount for which the iteration of a pool's curve does not converge.
 *
 * @param nearestRaw the nearest amount that the pool prices, if the search found one
 */
export function noConvergence(
  { symbol, decimals }: Token,
  amountInRaw: bigint,
  nearestRaw?: bigint,
): ServiceError<'svc/no-convergence'> {
  const amountIn = Amount.format(amountInRaw, decimals)
  if (nearestRaw === undefined) return Errors.noConvergence({ symbol, amountIn })
  return Errors.noConvergence({ symbol, amountIn, nearestAmountIn: Amount.format(nearestRaw, decimals) })
}
