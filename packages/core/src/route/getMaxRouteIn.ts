import { getMaxInput } from '../pool/getMaxInput.ts'
import { getSmallestInput } from '../pool/getSmallestInput.ts'
import type { ConversionRoute } from './Route.ts'

/**
 * Returns the largest input that keeps every pool of a route within its halt, in raw units of the first token.
 * `quoteRoute` throws `svc/above-max-origin` for the next larger input, and for no input up to it. The input may be too
 * small to pay anything.
 */
export function getMaxRouteIn(route: ConversionRoute): bigint {
  let limitRaw: bigint | undefined
  for (const hop of route.toReversed()) {
    const ofHopRaw = getMaxInput(hop)
    const beyondRaw = limitRaw === undefined ? undefined : getSmallestInput(hop, limitRaw + 1n)
    limitRaw = beyondRaw === undefined || ofHopRaw < beyondRaw ? ofHopRaw : beyondRaw - 1n
  }
  return limitRaw ?? 0n
}
