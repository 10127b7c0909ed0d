import * as Amount from '../amount/Amount.ts'
import { ServiceError } from '../errors/ServiceError.ts'
import { getMaxOrigin } from '../pool/getMaxOrigin.ts'
import { sidesOf } from '../pool/PoolState.ts'
import { quoteExactIn } from '../pool/quoteExactIn.ts'
import { smallestInput } from '../pool/quoteExactOut.ts'
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
    throw isLimit ? aboveLimitOfSecond([first, second], amountInRaw) : error
  }
}

function quoteHop({ pool, tokenIn, tokenOut }: Hop, amountInRaw: bigint, nowSeconds: bigint): bigint {
  return quoteExactIn(pool, { tokenIn, tokenOut, amountInRaw }, nowSeconds).amountOutRaw
}

/** Returns the error for the second pool's limit, converted to the first token: the largest input that stays within it. */
function aboveLimitOfSecond([first, second]: readonly [Hop, Hop], amountInRaw: bigint): ServiceError {
  const [origin, target] = sidesOf(second.pool, second.tokenIn, second.tokenOut)
  const limitRaw = getMaxOrigin(origin, target, second.pool.alpha)
  const [firstOrigin, firstTarget] = sidesOf(first.pool, first.tokenIn, first.tokenOut)
  const maxRaw =
    smallestInput(firstOrigin, firstTarget, { amountOutRaw: limitRaw + 1n, epsilon: first.pool.epsilon }) - 1n
  const { decimals, symbol } = firstOrigin.token
  const [amountIn, maxAmountIn] = [Amount.format(amountInRaw, decimals), Amount.format(maxRaw, decimals)]
  const message = `Cannot convert ${amountIn} ${symbol}: the pools take at most ${maxAmountIn} ${symbol} now`
  return new ServiceError('svc/above-max-origin', message, { amountIn, maxAmountIn })
}
