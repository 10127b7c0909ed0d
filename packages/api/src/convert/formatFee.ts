import { Amount } from '@agio/core'

/** Writes a pool's fee, given with 18 decimals, as percent: at least two fractional digits, no zeros behind them. */
export function formatFee(epsilon: bigint): string {
  return `${Amount.format(epsilon, 16).replace(/(\.\d\d\d*?)0*$/, '$1')}%`
}
