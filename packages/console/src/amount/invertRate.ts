import { countDecimals, fromRaw, toRaw } from './rawUnits.ts'

/**
 * Returns the inverse of a rate, both as decimal strings, rounded down to `digits` fractional digits. Returns undefined
 * for a rate of zero.
 */
export function invertRate(rate: string, digits: number): string | undefined {
  const decimals = countDecimals(rate)
  const raw = toRaw(rate, decimals)
  return raw === 0n ? undefined : fromRaw(10n ** BigInt(decimals + digits) / raw, digits)
}
