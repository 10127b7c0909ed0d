import { toMinAmountOut } from './toMinAmountOut.ts'

// The interface fixes it.
const slippageBps = 5

/**
 * The quoted output less 0.05 %, rounded down, and at least one raw unit, so that it is always a valid minimum.
 *
 * @param worstCaseOutRaw the least that executing the quote can pay, which caps the minimum; by default the quote itself
 */
export function recommendMinAmountOut(amountOutRaw: bigint, worstCaseOutRaw = amountOutRaw): bigint {
  return toMinAmountOut(amountOutRaw, { slippageBps, worstCaseOutRaw })
}
