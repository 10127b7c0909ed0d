import { powerOfTen } from '../amount/powerOfTen.ts'
import { ceilDiv, one } from '../integer/integers.ts'
import { assertBelowMaxOrigin, assertQuotable } from './assertQuotable.ts'
import type { Hop } from './Hop.ts'

/**
 * Quotes an exact output, in raw units, with the integer maths of the pool contract and its errors.
 *
 * @param nowSeconds the timestamp of the block of the state
 * @returns the smallest input that buys the output, in raw units
 * @throws `svc/pool-frozen`, `svc/amount-too-small`, `svc/stale-price`, `svc/above-max-origin`
 * @see ARCHITECTURE.md, "Pool maths"
 */
export function quoteExactOut(hop: Hop, amountOutRaw: bigint, nowSeconds: bigint): bigint {
  assertQuotable(hop, amountOutRaw, nowSeconds)
  const amountInRaw = smallestInput(hop, amountOutRaw)
  assertBelowMaxOrigin(hop, amountInRaw)
  return amountInRaw
}

/** Returns the smallest input that buys an output, in raw units, without a check of the pool's limit. */
export function smallestInput({ pool, origin, target }: Hop, amountOutRaw: bigint): bigint {
  const grossOutRaw = ceilDiv(amountOutRaw * one, one - pool.epsilon)
  return ceilDiv(
    grossOutRaw * target.price.answer * powerOfTen(origin.token.decimals),
    origin.price.answer * powerOfTen(target.token.decimals),
  )
}
