import { countDecimals, toRaw } from './rawUnits.ts'

/** Compares two amounts, which are decimal strings: negative if the first is less, 0 if they are equal. */
export function compareAmounts(one: string, other: string): -1 | 0 | 1 {
  const decimals = Math.max(countDecimals(one), countDecimals(other))
  const [first, second] = [toRaw(one, decimals), toRaw(other, decimals)]
  if (first === second) return 0
  return first < second ? -1 : 1
}
