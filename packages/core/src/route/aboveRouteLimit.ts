import * as Amount from '../amount/Amount.ts'
import { ServiceError } from '../errors/ServiceError.ts'
import { sidesOf } from '../pool/PoolState.ts'
import type { Hop } from './findConversionRoute.ts'
import { getMaxRouteIn } from './getMaxRouteIn.ts'

/** Returns the error for an input above the limit of two pools, with the largest input that stays within both. */
export function aboveRouteLimit(hops: readonly [Hop, Hop], amountInRaw: bigint): ServiceError {
  const [{ pool, tokenIn, tokenOut }] = hops
  const [{ token }] = sidesOf(pool, tokenIn, tokenOut)
  const amountIn = Amount.format(amountInRaw, token.decimals)
  const maxAmountIn = Amount.format(getMaxRouteIn(hops), token.decimals)
  const message = `Cannot convert ${amountIn} ${token.symbol}: the pools take at most ${maxAmountIn} ${token.symbol} now`
  return new ServiceError('svc/above-max-origin', message, { amountIn, maxAmountIn })
}
