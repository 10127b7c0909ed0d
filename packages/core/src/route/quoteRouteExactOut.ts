import { ServiceError } from '../errors/ServiceError.ts'
import { assertQuotable } from '../pool/assertQuotable.ts'
import { quoteExactOut, smallestInput } from '../pool/quoteExactOut.ts'
import { aboveRouteLimit } from './aboveRouteLimit.ts'
import type { ConversionRoute } from './Route.ts'

/**
 * Returns the smallest input of a route for an exact output, in raw units of its first token. Each hop pays exactly
 * what the next hop takes. No smaller input buys the output by `quoteRoute` either.
 *
 * @throws the errors of `quoteExactOut`; the amounts of `svc/above-max-origin` are in the first token, even if a later
 * pool refuses
 */
export function quoteRouteExactOut(route: ConversionRoute, amountOutRaw: bigint, nowSeconds: bigint): bigint {
  let amountRaw = amountOutRaw
  for (let index = route.length - 1; index >= 0; index -= 1) {
    const hop = route[index] ?? route[0]
    try {
      amountRaw = quoteExactOut(hop, amountRaw, nowSeconds)
    } catch (error) {
      const isLimit = error instanceof ServiceError && error.code === 'svc/above-max-origin'
      if (index === 0 || !isLimit) throw error
      const earlier = route.slice(0, index)
      throw aboveRouteLimit(route, toInput(earlier, smallestInput(hop, amountRaw), nowSeconds))
    }
  }
  return amountRaw
}

/**
 * Returns the input of hops for an output, without a check of their limits.
 *
 * @throws the error of a hop that cannot price the amounts
 */
function toInput(hops: readonly ConversionRoute[0][], amountOutRaw: bigint, nowSeconds: bigint): bigint {
  return hops.reduceRight((amountRaw, hop) => {
    assertQuotable(hop, amountRaw, nowSeconds)
    return smallestInput(hop, amountRaw)
  }, amountOutRaw)
}
