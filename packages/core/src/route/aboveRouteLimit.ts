import type { ServiceError } from '../errors/ServiceError.ts'
import { aboveLimit } from '../pool/assertQuotable.ts'
import { getMaxRouteIn } from './getMaxRouteIn.ts'
import { getOrigin, type ConversionRoute } from './Route.ts'

/**
 * Returns the error for an input above the limit of a route. The error names the largest input that all pools of the
 * route take.
 */
export function aboveRouteLimit(route: ConversionRoute, amountInRaw: bigint): ServiceError<'svc/above-max-origin'> {
  return aboveLimit(getOrigin(route).token, amountInRaw, getMaxRouteIn(route))
}
