import { countDecimals, toRaw } from './rawUnits.ts'

/** Compares two decimal strings. Returns -1 if the first is smaller, 0 if they are equal, else 1. */
export function compareAmounts(one: string, other: string): -1 | 0 | 1 {
  const decimals = Math.max(countDecimals(one), countDecimals(other))
  const [first, second] = [toRaw(one, decimals), toRaw(other, decimals)]
  if (first === second) return 0
  return first < second ? -1 : 1
}
