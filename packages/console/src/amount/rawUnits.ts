/**
 * Returns an amount in raw units: `1.5` of a token with 6 decimals is `1500000n`.
 *
 * @param amount a decimal string, also a negative one
 * @throws RangeError if it is none, or has digits that the token has not
 */
export function toRaw(amount: string, decimals: number): bigint {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount) ?? []
  if (sign === undefined || !/^0*$/.test(fraction.slice(decimals))) {
    throw new RangeError(`Cannot read ${amount}: it is no amount with ${decimals} fractional digits`)
  }
  const raw = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  return sign === '-' ? -raw : raw
}

/** Formats raw units as an amount with all fractional digits of its token: `1500000n` with 6 decimals is `1.500000`. */
export function fromRaw(raw: bigint, decimals: number): string {
  const digits = (raw < 0n ? -raw : raw).toString().padStart(decimals + 1, '0')
  const sign = raw < 0n ? '-' : ''
  const whole = digits.slice(0, digits.length - decimals)
  return decimals === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-decimals)}`
}
