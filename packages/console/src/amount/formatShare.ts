import { fromRaw } from './rawUnits.ts'

const minDecimals = 4
// A smaller share than 10^-18 is less than a raw unit of any displayed amount.
const maxDecimals = 18

/**
 * Formats a share as percent, rounded half away from zero. It has four fractional digits, or as many as the first two
 * digits of a smaller share need: `0.0500%`, `-0.0000027%`.
 */
export function formatShare(part: bigint, whole: bigint): string {
  if (whole === 0n) return '–'
  const [dividend, divisor] = [abs(part), abs(whole)]
  const decimals = chooseDecimals(dividend, divisor)
  const sign = part !== 0n && part < 0n !== whole < 0n ? '-' : ''
  return `${sign}${fromRaw(round(dividend, divisor, decimals), decimals)}%`
}

function chooseDecimals(part: bigint, whole: bigint): number {
  if (part === 0n) return minDecimals
  for (let decimals = minDecimals; decimals < maxDecimals; decimals += 1) {
    if (round(part, whole, decimals) >= 10n) return decimals
  }
  return maxDecimals
}

/** Returns a share in percent as an integer, in units of the last decimal. */
function round(part: bigint, whole: bigint, decimals: number): bigint {
  return (2n * part * 10n ** BigInt(decimals + 2) + whole) / (2n * whole)
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value
}
