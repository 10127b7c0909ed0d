import * as Amount from '../amount/Amount.ts'

/**
 * Formats the difference between the pools' and the oracles' amount as percent of the oracles' amount. It is negative
 * if the pools pay less.
 *
 * The percentage has four fractional digits, is rounded half away from zero, and is never `-0`.
 */
export function formatImpact({ impactRaw, oracleAmountOutRaw }: formatImpact.Parts): string {
  if (oracleAmountOutRaw === 0n) return '0.0000%'
  const doubled = (impactRaw < 0n ? -impactRaw : impactRaw) * 2_000_000n
  const magnitude = (doubled + oracleAmountOutRaw) / (2n * oracleAmountOutRaw)
  const sign = impactRaw < 0n && magnitude > 0n ? '-' : ''
  return `${sign}${Amount.formatFixed(magnitude, 4, 4)}%`
}

export declare namespace formatImpact {
  /** Raw units of the same token. */
  type Parts = { readonly impactRaw: bigint; readonly oracleAmountOutRaw: bigint }
}
