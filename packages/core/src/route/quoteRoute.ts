import { quoteExactIn } from '../pool/quoteExactIn.ts'
import type { Route } from './findRoute.ts'

/**
 * What a route pays for an exact input, in raw units of its last token: each hop takes the rounded output of the one before.
 *
 * @throws what `quoteExactIn` throws
 */
export function quoteRoute(route: Route, amountInRaw: bigint, nowSeconds: bigint): bigint {
  let amountRaw = amountInRaw
  for (const { pool, tokenIn, tokenOut } of route) {
    amountRaw = quoteExactIn(pool, { tokenIn, tokenOut, amountInRaw: amountRaw }, nowSeconds).amountOutRaw
  }
  return amountRaw
}
