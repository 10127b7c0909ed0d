import * as Amount from '../amount/Amount.ts'

let last: { readonly epsilon: bigint; readonly text: string } | undefined

/**
 * Formats a pool's fee, given with 18 decimals, as percent with at least two fractional digits. Further zeros are cut
 * off.
 */
export function formatFee(epsilon: bigint): string {
  // The fee is usually the same as in the previous call.
  if (last?.epsilon !== epsilon) last = { epsilon, text: toPercent(epsilon, 18) }
  return last.text
}

/** Formats a rate with the given decimals as percent with at least two fractional digits. Further zeros are cut off. */
export function toPercent(rate: bigint, decimals: number): string {
  return `${Amount.format(rate, decimals - 2).replace(/(\.\d\d\d*?)0*$/, '$1')}%`
}
