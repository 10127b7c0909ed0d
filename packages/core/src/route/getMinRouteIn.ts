import { sidesOf } from '../pool/PoolState.ts'
import { smallestInput } from '../pool/quoteExactOut.ts'
import { getSmallestInput } from '../pool/getSmallestInput.ts'
import type { ConversionRoute, Hop } from './findConversionRoute.ts'

/**
 * Returns the smallest input for which a route pays anything, without its limits, in raw units of the first token. That of a pool
 * priced on chain is an estimate.
 */
export function getMinRouteIn([first, second]: ConversionRoute): bigint {
  return toInput(first, second ? toInput(second, 1n) : 1n)
}

function toInput({ pool, tokenIn, tokenOut }: Hop, amountOutRaw: bigint): bigint {
  const sides = sidesOf(pool, tokenIn, tokenOut)
  return getSmallestInput(pool, sides, amountOutRaw) ?? smallestInput(...sides, { amountOutRaw, epsilon: pool.epsilon })
}
