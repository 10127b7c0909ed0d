import { toMinAmountOut } from './toMinAmountOut.ts'

// The interface fixes this value.
const slippageBps = 5

/**
 * Returns the quoted output minus 0.05 %, rounded down. The result is at least one raw unit, so that it is always a
 * valid minimum.
 *
 * @param worstCaseOutRaw the least that executing the quote can pay, which caps the minimum; the quote itself by
 * default
 */
export function recommendMinAmountOut(amountOutRaw: bigint, worstCaseOutRaw = amountOutRaw): bigint {
  return toMinAmountOut(amountOutRaw, { slippageBps, worstCaseOutRaw })
}
