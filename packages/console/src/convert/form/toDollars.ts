import { Decimal } from '@agio/react/internal'

/**
 * Returns the value of an amount in dollars and cents, rounded down: `≈ $65.12`.
 *
 * @param usd the price of one token in dollars
 */
export function toDollars(amount: string, usd: string): string {
  const cents = (Decimal.toRaw(amount, digits) * Decimal.toRaw(usd, digits)) / 10n ** BigInt(2 * digits - 2)
  if (cents === 0n) return '< $0.01'
  return `≈ $${Decimal.format(Decimal.fromRaw(cents, 2))}`
}

// No token and no price has more.
const digits = 18
