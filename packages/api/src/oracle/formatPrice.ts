import { Amount, type OraclePrice } from '@agio/core'

/** Writes a price in US dollars with eight fractional digits; the reference dollar, which has no oracle, is "1.00". */
export function formatPrice({ oracle, answer }: OraclePrice): string {
  if (oracle === null) return '1.00'
  return Amount.format(answer > 0n ? answer : 0n, 8)
}
