import type { Address } from '../token/Token.ts'
import { amountTooSmall, assertBelowMaxOrigin, assertQuotable } from './assertQuotable.ts'
import { ceilDiv, one } from './integers.ts'
import type { PoolState } from './PoolState.ts'
import { valueAtOracle } from './valueAtOracle.ts'

/**
 * Quotes an exact input, with the integer maths of the pool contract: equal to the last raw unit, with the same errors in the
 * same order.
 *
 * @param nowSeconds the timestamp of the block of the state
 * @throws `svc/pool-frozen`, `svc/unsupported-token`, `svc/amount-too-small`, `svc/stale-price`, `svc/above-max-origin`
 * @see ARCHITECTURE.md, "Pool maths"
 */
export function quoteExactIn(pool: PoolState, swap: quoteExactIn.Swap, nowSeconds: bigint): quoteExactIn.Quote {
  const { tokenIn, tokenOut, amountInRaw } = swap
  const [origin, target] = assertQuotable(pool, { tokenIn, tokenOut, amountRaw: amountInRaw }, nowSeconds)
  assertBelowMaxOrigin([origin, target], pool.alpha, amountInRaw)
  const grossOutRaw = valueAtOracle(origin, target, amountInRaw)
  const feeRaw = ceilDiv(grossOutRaw * pool.epsilon, one)
  if (grossOutRaw <= feeRaw) throw amountTooSmall(origin, target)
  return { amountOutRaw: grossOutRaw - feeRaw, feeRaw }
}

export declare namespace quoteExactIn {
  type Swap = {
    readonly tokenIn: Address
    readonly tokenOut: Address
    /** Raw units of the input token. */
    readonly amountInRaw: bigint
  }
  type Quote = {
    /** Raw units of the output token, after the fee. */
    readonly amountOutRaw: bigint
    /** The fee that stays in the pool, in raw units of the output token. */
    readonly feeRaw: bigint
  }
}
