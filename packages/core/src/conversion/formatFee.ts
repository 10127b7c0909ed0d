import * as Amount from '../amount/Amount.ts'

let last: { readonly epsilon: bigint; readonly text: string } | undefined

/** Formats a pool's fee, given with 18 decimals, as percent: two fractional digits, and more without trailing zeros. */
export function formatFee(epsilon: bigint): string {
  // Usually the same fee as in the previous call.
  if (last?.epsilon !== epsilon) last = { epsilon, text: toPercent(epsilon, 18) }
  return last.text
}

/** Formats a rate with a number of decimals as percent: two fractional digits, and more without trailing zeros. */
export function toPercent(rate: bigint, decimals: number): string {
  return `${Amount.format(rate, decimals - 2).replace(/(\.\d\d\d*?)0*$/, '$1')}%`
}
