import type { Address } from '../token/Token.ts'
import { assertBelowMaxOrigin, assertQuotable } from './assertQuotable.ts'
import { powerOfTen } from '../amount/powerOfTen.ts'
import { ceilDiv, one } from './integers.ts'
import type { PoolSide, PoolState } from './PoolState.ts'

/**
 * Quotes an exact output, with the integer maths of the pool contract and its errors.
 *
 * @param nowSeconds the timestamp of the block of the state
 * @returns the smallest input that buys the output, in raw units
 * @throws `svc/pool-frozen`, `svc/unsupported-token`, `svc/amount-too-small`, `svc/stale-price`, `svc/above-max-origin`
 * @see ARCHITECTURE.md, "Pool maths"
 */
export function quoteExactOut(pool: PoolState, swap: quoteExactOut.Swap, nowSeconds: bigint): bigint {
  const { tokenIn, tokenOut, amountOutRaw } = swap
  const [origin, target] = assertQuotable(pool, { tokenIn, tokenOut, amountRaw: amountOutRaw }, nowSeconds)
  const amountInRaw = smallestInput(origin, target, { amountOutRaw, epsilon: pool.epsilon })
  assertBelowMaxOrigin([origin, target], pool.alpha, amountInRaw)
  return amountInRaw
}

export declare namespace quoteExactOut {
  type Swap = {
    readonly tokenIn: Address
    readonly tokenOut: Address
    /** Raw units of the output token. */
    readonly amountOutRaw: bigint
  }
}

/** Returns the smallest input that buys an output, in raw units, without a check of the pool's limit. */
export function smallestInput(
  origin: PoolSide,
  target: PoolSide,
  { amountOutRaw, epsilon }: { readonly amountOutRaw: bigint; readonly epsilon: bigint },
): bigint {
  const grossOutRaw = ceilDiv(amountOutRaw * one, one - epsilon)
  return ceilDiv(
    grossOutRaw * target.price.answer * powerOfTen(origin.token.decimals),
    origin.price.answer * powerOfTen(target.token.decimals),
  )
}
