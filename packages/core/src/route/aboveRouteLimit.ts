import * as Amount from '../amount/Amount.ts'
import { ServiceError } from '../errors/ServiceError.ts'
import { getMaxOrigin } from '../pool/getMaxOrigin.ts'
import { sidesOf } from '../pool/PoolState.ts'
import { smallestInput } from '../pool/quoteExactOut.ts'
import type { Hop } from './findConversionRoute.ts'

/** Returns the error for an input above the limit of two pools, with the largest input that stays within both. */
export function aboveRouteLimit([first, second]: readonly [Hop, Hop], amountInRaw: bigint): ServiceError {
  const limitOfSecondRaw = getMaxOrigin(...sidesOf(second.pool, second.tokenIn, second.tokenOut), second.pool.alpha)
  const [origin, target] = sidesOf(first.pool, first.tokenIn, first.tokenOut)
  const { alpha, epsilon } = first.pool
  const ofSecondRaw = smallestInput(origin, target, { amountOutRaw: limitOfSecondRaw + 1n, epsilon }) - 1n
  const ofFirstRaw = getMaxOrigin(origin, target, alpha)
  const { decimals, symbol } = origin.token
  const amountIn = Amount.format(amountInRaw, decimals)
  const maxAmountIn = Amount.format(ofFirstRaw < ofSecondRaw ? ofFirstRaw : ofSecondRaw, decimals)
  const message = `Cannot convert ${amountIn} ${symbol}: the pools take at most ${maxAmountIn} ${symbol} now`
  return new ServiceError('svc/above-max-origin', message, { amountIn, maxAmountIn })
}
