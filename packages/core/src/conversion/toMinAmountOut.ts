/**
 * Returns the smallest output that a conversion accepts: the quoted output minus a tolerance, rounded down. The result
 * is at least one raw unit, so that it is always a valid minimum.
 *
 * @param amountOutRaw the quoted output, in raw units
 * @returns raw units, never more than the worst case
 */
export function toMinAmountOut(amountOutRaw: bigint, { slippageBps, worstCaseOutRaw }: toMinAmountOut.Terms): bigint {
  const reducedRaw = (amountOutRaw * BigInt(10_000 - slippageBps)) / 10_000n
  const minRaw = reducedRaw < worstCaseOutRaw ? reducedRaw : worstCaseOutRaw
  return minRaw > 0n ? minRaw : 1n
}

export declare namespace toMinAmountOut {
  type Terms = {
    /** The tolerance in basis points: an integer from 0 to 10,000. */
    readonly slippageBps: number
    /** The least that executing the quote can pay on unchanged pools. */
    readonly worstCaseOutRaw: bigint
  }
}
