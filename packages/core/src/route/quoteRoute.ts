import { ServiceError } from '../errors/ServiceError.ts'
import { sidesOf } from '../pool/PoolState.ts'
import { quoteOutput, withoutConvergence } from '../pool/quoteOutput.ts'
import { aboveRouteLimit } from './aboveRouteLimit.ts'
import type { Hop, ConversionRoute } from './findConversionRoute.ts'

/**
 * Returns the output of a route without pools priced on chain for an exact input, in raw units of its last token. The second hop
 * takes the rounded output of the first.
 *
 * @throws what `quoteOutput` throws; the amounts are in the first token, also for the second pool
 */
export function quoteRoute([first, second]: ConversionRoute, amountInRaw: bigint, nowSeconds: bigint): bigint {
  const between = quoteHop(first, amountInRaw, nowSeconds)
  if (!second) return between
  try {
    return quoteHop(second, between, nowSeconds)
  } catch (error) {
    const code = error instanceof ServiceError ? error.code : undefined
    if (code === 'svc/above-max-origin') throw aboveRouteLimit([first, second], amountInRaw)
    if (code !== 'svc/no-convergence') throw error
    const [{ token }] = sidesOf(first.pool, first.tokenIn, first.tokenOut)
    throw withoutConvergence(token, amountInRaw)
  }
}

function quoteHop({ pool, tokenIn, tokenOut }: Hop, amountInRaw: bigint, nowSeconds: bigint): bigint {
  return quoteOutput(pool, { tokenIn, tokenOut, amountInRaw }, nowSeconds)
}
