import * as Amount from '../Amount.ts'

let last: { readonly epsilon: bigint; readonly text: string } | undefined

/** Writes a pool's fee, given with 18 decimals, as percent: at least two fractional digits, no zeros behind them. */
export function formatFee(epsilon: bigint): string {
  // Nearly always that of the call before.
  if (last?.epsilon !== epsilon) {
    last = { epsilon, text: `${Amount.format(epsilon, 16).replace(/(\.\d\d\d*?)0*$/, '$1')}%` }
  }
  return last.text
}
