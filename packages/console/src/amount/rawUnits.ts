import { parseUnits } from 'viem'

/**
 * Converts an amount to raw units: `1.5` with 6 decimals is `1500000n`.
 *
 * @param amount a decimal string, may be negative
 *
 * @throws RangeError if it is not a decimal, or has more digits than the token
 */
export function toRaw(amount: string, decimals: number): bigint {
  const [decimal, fraction = ''] = /^-?\d+(?:\.(\d+))?$/.exec(amount) ?? []
  // viem would round excess digits.
  if (decimal === undefined || !/^0*$/.test(fraction.slice(decimals))) {
    throw new RangeError(`Cannot read ${amount}: it is not a decimal with at most ${decimals} fractional digits`)
  }
  return parseUnits(decimal, decimals)
}

/**
 * Converts raw units to an amount with all fractional digits of its token: `1500000n` with 6 decimals is `1.500000`.
 */
export function fromRaw(raw: bigint, decimals: number): string {
  const digits = (raw < 0n ? -raw : raw).toString().padStart(decimals + 1, '0')
  const sign = raw < 0n ? '-' : ''
  const whole = digits.slice(0, digits.length - decimals)
  return decimals === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-decimals)}`
}

/** Returns the number of fractional digits of a decimal string. */
export function countDecimals(amount: string): number {
  return amount.split('.')[1]?.length ?? 0
}
