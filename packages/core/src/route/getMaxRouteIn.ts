import { getMaxInput } from '../pool/getMaxInput.ts'
import { getSmallestInput } from '../pool/getSmallestInput.ts'
import { sidesOf } from '../pool/PoolState.ts'
import type { ConversionRoute } from './findConversionRoute.ts'

/**
 * Returns the largest input that keeps every pool of a route within its halt, in raw units of the first token: `quoteRoute`
 * throws `svc/above-max-origin` for the next one, and for none up to it. It may be too small to pay anything.
 */
export function getMaxRouteIn([first, second]: ConversionRoute): bigint {
  const sides = sidesOf(first.pool, first.tokenIn, first.tokenOut)
  const ofFirstRaw = getMaxInput(first.pool, sides)
  if (!second) return ofFirstRaw
  const limitOfSecondRaw = getMaxInput(second.pool, sidesOf(second.pool, second.tokenIn, second.tokenOut))
  const beyondRaw = getSmallestInput(first.pool, sides, limitOfSecondRaw + 1n)
  return beyondRaw === undefined || ofFirstRaw < beyondRaw ? ofFirstRaw : beyondRaw - 1n
}
