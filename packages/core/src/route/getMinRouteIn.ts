import { sidesOf } from '../pool/PoolState.ts'
import { smallestInput } from '../pool/quoteExactOut.ts'
import type { ConversionRoute, Hop } from './findConversionRoute.ts'

/**
 * Returns the smallest input for which a route pays anything, by our maths and without its limits, in raw units of the first
 * token.
 */
export function getMinRouteIn([first, second]: ConversionRoute): bigint {
  return toInput(first, second ? toInput(second, 1n) : 1n)
}

function toInput({ pool, tokenIn, tokenOut }: Hop, amountOutRaw: bigint): bigint {
  return smallestInput(...sidesOf(pool, tokenIn, tokenOut), { amountOutRaw, epsilon: pool.epsilon })
}
