import { ServiceError } from '../errors/ServiceError.ts'
import { assertQuotable } from '../pool/assertQuotable.ts'
import { sidesOf } from '../pool/PoolState.ts'
import { quoteExactOut, smallestInput } from '../pool/quoteExactOut.ts'
import { aboveRouteLimit } from './aboveRouteLimit.ts'
import type { ConversionRoute, Hop } from './findConversionRoute.ts'

/**
 * Returns the smallest input of a route for an exact output, in raw units of its first token. The first hop pays exactly what
 * the second takes. No smaller input buys the output by `quoteRoute` either.
 *
 * @throws what `quoteExactOut` throws; the amounts of `svc/above-max-origin` are in the first token, also for the second pool
 */
export function quoteRouteExactOut([first, second]: ConversionRoute, amountOutRaw: bigint, nowSeconds: bigint): bigint {
  const betweenRaw = second ? quoteSecond([first, second], amountOutRaw, nowSeconds) : amountOutRaw
  return quoteHop(first, betweenRaw, nowSeconds)
}

function quoteSecond(hops: readonly [Hop, Hop], amountOutRaw: bigint, nowSeconds: bigint): bigint {
  try {
    return quoteHop(hops[1], amountOutRaw, nowSeconds)
  } catch (error) {
    const isLimit = error instanceof ServiceError && error.code === 'svc/above-max-origin'
    throw isLimit ? toLimitError(hops, amountOutRaw, nowSeconds) : error
  }
}

function quoteHop({ pool, tokenIn, tokenOut }: Hop, amountOutRaw: bigint, nowSeconds: bigint): bigint {
  return quoteExactOut(pool, { tokenIn, tokenOut, amountOutRaw }, nowSeconds)
}

/** Returns the error for the limit of the second pool. @throws the error of a first pool that cannot price the amounts */
function toLimitError([first, second]: readonly [Hop, Hop], amountOutRaw: bigint, nowSeconds: bigint): ServiceError {
  const betweenRaw = toInput(second, amountOutRaw)
  assertQuotable(first.pool, { ...first, amountRaw: betweenRaw }, nowSeconds)
  return aboveRouteLimit([first, second], toInput(first, betweenRaw))
}

function toInput({ pool, tokenIn, tokenOut }: Hop, amountOutRaw: bigint): bigint {
  return smallestInput(...sidesOf(pool, tokenIn, tokenOut), { amountOutRaw, epsilon: pool.epsilon })
}
