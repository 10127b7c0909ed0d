import * as Amount from '../amount/Amount.ts'

// The interface defines slippage net of a fee of 0.05 %, even if the pool charges another fee.
const feeNumerator = 5n
const feeDenominator = 10_000n

/**
 * Formats the slippage of a conversion against an oracle amount as percent with four fractional digits. It is rounded
 * half away from zero, and is never `-0`.
 *
 * Slippage excludes one fee: `(oracle x (1 - 0.0005) - actual) / (oracle x (1 - 0.0005))`. At the prices of the
 * execution it is zero for a direct conversion, and about the second fee for two pools. A positive slippage is a loss.
 *
 * @param oracleAmountOutRaw raw units of the output token, like the actual amount
 */
export function formatSlippage(oracleAmountOutRaw: bigint, actualAmountOutRaw: bigint): string {
  const afterFee = oracleAmountOutRaw * (feeDenominator - feeNumerator)
  if (afterFee === 0n) return '0.0000%'
  const difference = (afterFee - actualAmountOutRaw * feeDenominator) * 1_000_000n
  const magnitude = ((difference < 0n ? -difference : difference) * 2n + afterFee) / (2n * afterFee)
  const sign = difference < 0n && magnitude > 0n ? '-' : ''
  return `${sign}${Amount.formatFixed(magnitude, 4, 4)}%`
}
