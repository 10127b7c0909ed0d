import { getSmallestInput } from '../pool/getSmallestInput.ts'
import { smallestInput } from '../pool/quoteExactOut.ts'
import type { ConversionRoute } from './Route.ts'

/**
 * Returns the smallest input for which a route pays anything, in raw units of the first token. The limits of the pools
 * are not checked. For a pool priced on chain the result is an estimate.
 */
export function getMinRouteIn(route: ConversionRoute): bigint {
  return route.reduceRight((outRaw, hop) => getSmallestInput(hop, outRaw) ?? smallestInput(hop, outRaw), 1n)
}
