import { amountTooSmall, assertBelowMaxOrigin, assertQuotable } from './assertQuotable.ts'
import { ceilDiv, one } from '../integer/integers.ts'
import type { Hop } from './Hop.ts'
import { valueAtOracle } from './valueAtOracle.ts'

/**
 * Quotes an exact input, in raw units, with the integer maths of the pool contract. The result is equal to the last raw
 * unit, and the errors come in the same order.
 *
 * @param nowSeconds the timestamp of the block of the state
 * @throws `svc/pool-frozen`, `svc/amount-too-small`, `svc/stale-price`, `svc/above-max-origin`
 * @see ARCHITECTURE.md, "Pool maths"
 */
export function quoteExactIn(hop: Hop, amountInRaw: bigint, nowSeconds: bigint): quoteExactIn.Quote {
  assertQuotable(hop, amountInRaw, nowSeconds)
  assertBelowMaxOrigin(hop, amountInRaw)
  const grossOutRaw = valueAtOracle(hop, amountInRaw)
  const feeRaw = ceilDiv(grossOutRaw * hop.pool.epsilon, one)
  if (grossOutRaw <= feeRaw) throw amountTooSmall(hop)
  return { amountOutRaw: grossOutRaw - feeRaw, feeRaw }
}

export declare namespace quoteExactIn {
  type Quote = {
    /** Raw units of the output token, after the fee. */
    readonly amountOutRaw: bigint
    /** The fee that stays in the pool, in raw units of the output token. */
    readonly feeRaw: bigint
  }
}
