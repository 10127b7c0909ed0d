import { getMaxOrigin } from '../pool/getMaxOrigin.ts'
import { sidesOf } from '../pool/PoolState.ts'
import { smallestInput } from '../pool/quoteExactOut.ts'
import type { ConversionRoute } from './findConversionRoute.ts'

/**
 * Returns the largest input that keeps every pool of a route within its halt, in raw units of the first token: `quoteRoute`
 * throws `svc/above-max-origin` for the next one, and for none up to it. It may be too small to pay anything.
 */
export function getMaxRouteIn([first, second]: ConversionRoute): bigint {
  const [origin, target] = sidesOf(first.pool, first.tokenIn, first.tokenOut)
  const { alpha, epsilon } = first.pool
  const ofFirstRaw = getMaxOrigin(origin, target, alpha)
  if (!second) return ofFirstRaw
  const limitOfSecondRaw = getMaxOrigin(...sidesOf(second.pool, second.tokenIn, second.tokenOut), second.pool.alpha)
  const ofSecondRaw = smallestInput(origin, target, { amountOutRaw: limitOfSecondRaw + 1n, epsilon }) - 1n
  return ofFirstRaw < ofSecondRaw ? ofFirstRaw : ofSecondRaw
}
