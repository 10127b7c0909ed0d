import { getSmallestInput } from '../pool/getSmallestInput.ts'
import { smallestInput } from '../pool/quoteExactOut.ts'
import type { ConversionRoute } from './Route.ts'

/**
 * Returns the smallest input for which a route pays anything, without its limits, in raw units of the first token. For a pool
 * priced on chain it is an estimate.
 */
export function getMinRouteIn(route: ConversionRoute): bigint {
  return route.reduceRight((outRaw, hop) => getSmallestInput(hop, outRaw) ?? smallestInput(hop, outRaw), 1n)
}
