import { assertQuotable } from '../pool/assertQuotable.ts'
import { getSmallestInput } from '../pool/getSmallestInput.ts'
import { sidesOf } from '../pool/PoolState.ts'
import { smallestInput } from '../pool/quoteExactOut.ts'
import { aboveRouteLimit } from './aboveRouteLimit.ts'
import type { ConversionRoute, Hop } from './findConversionRoute.ts'
import { quoteRoute } from './quoteRoute.ts'

/** An exact input that pays at least a requested output, in raw units. */
export type RouteInput = { readonly amountInRaw: bigint; readonly amountOutRaw: bigint }

/**
 * Returns the smallest exact input for which a route without pools priced on chain pays at least an output, and what it pays.
 *
 * @throws what `quoteRoute` throws; `svc/above-max-origin` with about the input that the output would cost
 */
export function findRouteInput(route: ConversionRoute, amountOutRaw: bigint, nowSeconds: bigint): RouteInput {
  const [first, second] = route
  for (const { pool, ...tokens } of route) assertQuotable(pool, { ...tokens, amountRaw: amountOutRaw }, nowSeconds)
  let betweenRaw = second ? getInput(second, amountOutRaw) : amountOutRaw
  for (let round = 0; round < maxRounds && betweenRaw !== undefined; round += 1) {
    const amountInRaw = getInput(first, betweenRaw)
    if (amountInRaw === undefined) break
    const paidRaw = quoteRoute(route, amountInRaw, nowSeconds)
    if (paidRaw >= amountOutRaw) return { amountInRaw, amountOutRaw: paidRaw }
    // The curve of a pool ends within a millionth of a dollar of its price, so that some more may pay less.
    betweenRaw += 1n << BigInt(round)
  }
  throw aboveRouteLimit(route, toOracleInput(route, amountOutRaw))
}

const maxRounds = 64

function getInput({ pool, tokenIn, tokenOut }: Hop, amountOutRaw: bigint): bigint | undefined {
  return getSmallestInput(pool, sidesOf(pool, tokenIn, tokenOut), amountOutRaw)
}

/** The input at the oracles' prices and the pools' fees. */
function toOracleInput(route: ConversionRoute, amountOutRaw: bigint): bigint {
  return route.toReversed().reduce((amountRaw, { pool, tokenIn, tokenOut }) => {
    const [origin, target] = sidesOf(pool, tokenIn, tokenOut)
    return smallestInput(origin, target, { amountOutRaw: amountRaw, epsilon: pool.epsilon })
  }, amountOutRaw)
}
