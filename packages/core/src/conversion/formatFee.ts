import * as Amount from '../amount/Amount.ts'

let last: { readonly epsilon: bigint; readonly text: string } | undefined

/** Formats a pool's fee, given with 18 decimals, as percent: two fractional digits, and more without trailing zeros. */
export function formatFee(epsilon: bigint): string {
  // Usually the same fee as in the previous call.
  if (last?.epsilon !== epsilon) {
    last = { epsilon, text: `${Amount.format(epsilon, 16).replace(/(\.\d\d\d*?)0*$/, '$1')}%` }
  }
  return last.text
}
