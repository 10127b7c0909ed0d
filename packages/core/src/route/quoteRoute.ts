import { ServiceError } from '../errors/ServiceError.ts'
import { quoteExactIn } from '../pool/quoteExactIn.ts'
import { aboveRouteLimit } from './aboveRouteLimit.ts'
import type { Hop, ConversionRoute } from './findConversionRoute.ts'

/**
 * Returns the output of a route for an exact input, in raw units of its last token. The second hop takes the rounded output of
 * the first.
 *
 * @throws what `quoteExactIn` throws; the amounts of `svc/above-max-origin` are in the first token, also for the second pool
 */
export function quoteRoute([first, second]: ConversionRoute, amountInRaw: bigint, nowSeconds: bigint): bigint {
  const between = quoteHop(first, amountInRaw, nowSeconds)
  if (!second) return between
  try {
    return quoteHop(second, between, nowSeconds)
  } catch (error) {
    const isLimit = error instanceof ServiceError && error.code === 'svc/above-max-origin'
    throw isLimit ? aboveRouteLimit([first, second], amountInRaw) : error
  }
}

function quoteHop({ pool, tokenIn, tokenOut }: Hop, amountInRaw: bigint, nowSeconds: bigint): bigint {
  return quoteExactIn(pool, { tokenIn, tokenOut, amountInRaw }, nowSeconds).amountOutRaw
}
