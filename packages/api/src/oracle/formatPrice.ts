import { Amount, type OraclePrice } from '@agio/core'

// The rate of a reference dollar: 10^8 is one.
const one = 100_000_000n

/** Writes a price in US dollars with eight fractional digits; the reference dollar, which has no oracle, is "1.00". */
export function formatPrice({ oracle, answer }: OraclePrice): string {
  if (oracle === null && answer === one) return '1.00'
  return Amount.format(answer > 0n ? answer : 0n, 8)
}
