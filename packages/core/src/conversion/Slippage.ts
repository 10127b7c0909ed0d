import * as Amount from '../amount/Amount.ts'
import * as Integer from '../integer/Integer.ts'

/**
 * Returns the smallest output that a conversion accepts: the quoted output minus a tolerance, rounded down. The result
 * is at least one raw unit, so that it is always a valid minimum.
 *
 * @param amountOutRaw the quoted output, in raw units
 * @returns raw units, never more than the worst case
 *
 * @example
 * Slippage.toMinAmountOut(65_087_440n, { slippageBps: 10, worstCaseOutRaw: 65_087_440n }) // 65_022_352n
 */
export function toMinAmountOut(amountOutRaw: bigint, { slippageBps, worstCaseOutRaw }: Options): bigint {
  const reducedRaw = (amountOutRaw * BigInt(10_000 - slippageBps)) / 10_000n
  const minRaw = reducedRaw < worstCaseOutRaw ? reducedRaw : worstCaseOutRaw
  return minRaw > 0n ? minRaw : 1n
}

type Options = {
  /** The tolerance in basis points: an integer from 0 to 10,000. */
  readonly slippageBps: number
  /** The least that executing the quote can pay on unchanged pools. */
  readonly worstCaseOutRaw: bigint
}

/**
 * Returns the largest input that a conversion of an exact output accepts: the quoted input plus a tolerance, rounded
 * up.
 *
 * @param amountInRaw the quoted input, in raw units
 * @param slippageBps the tolerance in basis points: an integer of at least 0
 * @returns raw units, at most 2^256 - 1
 *
 * @example
 * Slippage.toMaxAmountIn(100_000_000n, 10) // 100_100_000n
 */
export function toMaxAmountIn(amountInRaw: bigint, slippageBps: number): bigint {
  const raisedRaw = Integer.ceilDiv(amountInRaw * BigInt(10_000 + slippageBps), 10_000n)
  return raisedRaw < Integer.maxUint256 ? raisedRaw : Integer.maxUint256
}

// The API promises this value.
const recommendedBps = 5

/**
 * Returns the quoted output minus 0.05 %, rounded down. The result is at least one raw unit, so that it is always a
 * valid minimum.
 *
 * @param worstCaseOutRaw the least that executing the quote can pay, which caps the minimum; the quote itself by
 * default
 */
export function recommendMinAmountOut(amountOutRaw: bigint, worstCaseOutRaw = amountOutRaw): bigint {
  return toMinAmountOut(amountOutRaw, { slippageBps: recommendedBps, worstCaseOutRaw })
}

// The API defines slippage net of a fee of 0.05 %, even if the pool charges another fee.
const apiFee = 5n * 10n ** 14n

/**
 * Formats the slippage of a conversion against an oracle amount as percent with four fractional digits. It is rounded
 * half away from zero, and is never `-0`. A positive slippage is a loss.
 *
 * Slippage excludes fees: `(oracle x kept - actual) / (oracle x kept)`, where `kept` is the product of `1 - fee`.
 *
 * @param oracleAmountOutRaw raw units of the output token, like the actual amount
 *
 * @param fees the fees to exclude, with 18 decimals. Default: one fee of 0.05 %, for which the slippage at the prices of
 * the execution is zero for a direct conversion, and about the second fee for two pools
 */
export function format(
  oracleAmountOutRaw: bigint,
  actualAmountOutRaw: bigint,
  fees: readonly bigint[] = [apiFee],
): string {
  const afterFees = fees.reduce((raw, fee) => raw * (Integer.wad - fee), oracleAmountOutRaw)
  if (afterFees === 0n) return '0.0000%'
  const difference = (afterFees - actualAmountOutRaw * Integer.wad ** BigInt(fees.length)) * 1_000_000n
  const magnitude = ((difference < 0n ? -difference : difference) * 2n + afterFees) / (2n * afterFees)
  const sign = difference < 0n && magnitude > 0n ? '-' : ''
  return `${sign}${Amount.formatFixed(magnitude, 4, 4)}%`
}
