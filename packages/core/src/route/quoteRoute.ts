import { ServiceError } from '../errors/ServiceError.ts'
import { quoteOutput, withoutConvergence } from '../pool/quoteOutput.ts'
import { aboveRouteLimit } from './aboveRouteLimit.ts'
import { getOrigin, type ConversionRoute } from './Route.ts'

/**
 * Returns the output of a route without pools priced on chain for an exact input, in raw units of its last token. Each
 * hop takes the rounded output of the previous hop.
 *
 * @throws the errors of `quoteOutput`; the amounts are in the first token, even if a later pool refuses
 */
export function quoteRoute(route: ConversionRoute, amountInRaw: bigint, nowSeconds: bigint): bigint {
  const [first, ...others] = route
  const paidRaw = quoteOutput(first, amountInRaw, nowSeconds)
  if (others.length === 0) return paidRaw
  try {
    return others.reduce((amountRaw, hop) => quoteOutput(hop, amountRaw, nowSeconds), paidRaw)
  } catch (error) {
    const code = error instanceof ServiceError ? error.code : undefined
    if (code === 'svc/above-max-origin') throw aboveRouteLimit(route, amountInRaw)
    if (code === 'svc/no-convergence') throw withoutConvergence(getOrigin(route).token, amountInRaw)
    throw error
  }
}
