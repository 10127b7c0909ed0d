import type { ServiceError } from '../errors/ServiceError.ts'
import { aboveLimit } from '../pool/assertQuotable.ts'
import { sidesOf } from '../pool/PoolState.ts'
import type { ConversionRoute } from './findConversionRoute.ts'
import { getMaxRouteIn } from './getMaxRouteIn.ts'

/** Returns the error for an input above the limit of a route, with the largest input that stays within that of all of its pools. */
export function aboveRouteLimit(route: ConversionRoute, amountInRaw: bigint): ServiceError<'svc/above-max-origin'> {
  const [{ pool, tokenIn, tokenOut }] = route
  const [{ token }] = sidesOf(pool, tokenIn, tokenOut)
  return aboveLimit(token, amountInRaw, getMaxRouteIn(route))
}
