import * as Errors from '../errors/Errors.ts'
import type { ServiceError } from '../errors/ServiceError.ts'
import * as Integer from '../integer/Integer.ts'

/** The maximum length of an amount, in characters. */
export const maxLength = 80

/** The syntax of an amount: ASCII digits with an optional fraction, no sign, no exponent. */
export const pattern = /^[0-9]+(\.[0-9]+)?$/

/**
 * Parses a decimal amount of a token into raw units.
 *
 * @param text whole tokens, for instance `1000.5`
 * @param decimals the token's decimals
 * @param field the request field to name in an error
 * @returns raw units, at least 1 and at most 2^256 - 1
 * @throws `svc/invalid-request` if the text is not an amount, is zero, has more fractional digits than the token, or exceeds uint256
 *
 * @example
 * Amount.parse('1000.5', 6) // 1_000_500_000n
 */
export function parse(text: string, decimals: number, field = 'amount'): bigint {
  if (text.length > maxLength || !pattern.test(text))
    throw invalidAmount(field, text, 'it is not a plain decimal number')
  const pointAt = text.indexOf('.')
  const [whole, fraction] = pointAt === -1 ? [text, ''] : [text.slice(0, pointAt), text.slice(pointAt + 1)]
  if (fraction.length > decimals) throw invalidAmount(field, text, `the token has ${decimals} decimals`)
  const raw = BigInt(whole + fraction.padEnd(decimals, '0'))
  if (raw === 0n) throw invalidAmount(field, text, 'it is zero')
  if (raw > Integer.maxUint256) throw invalidAmount(field, text, 'it exceeds uint256')
  return raw
}

/**
 * Formats raw units as a decimal with every digit of the token.
 *
 * @example
 * Amount.format(650_874_400n, 6) // '650.874400'
 */
export function format(raw: bigint, decimals: number): string {
  return formatFixed(raw, decimals, decimals)
}

/**
 * Formats raw units of either sign as a decimal with every digit of the token, for instance `-0.000001`. Zero has no
 * sign.
 */
export function formatSigned(raw: bigint, decimals: number): string {
  return raw < 0n ? `-${format(-raw, decimals)}` : format(raw, decimals)
}

/**
 * Formats raw units as a decimal with `digits` fractional digits. Further digits are cut off, never rounded up.
 *
 * @example
 * Amount.formatFixed(1_999_999n, 6, 2) // '1.99'
 */
export function formatFixed(raw: bigint, decimals: number, digits: number): string {
  const scaled =
    digits >= decimals ? raw * Integer.powerOfTen(digits - decimals) : raw / Integer.powerOfTen(decimals - digits)
  if (digits === 0) return scaled.toString()
  const text = scaled.toString().padStart(digits + 1, '0')
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

function invalidAmount(field: string, value: string, reason: string): ServiceError<'svc/invalid-request'> {
  const shown = value.length > maxLength ? `${value.slice(0, maxLength)}…` : value
  return Errors.invalidRequest({ field, value: shown, reason, action: `read ${field} "${shown}"` })
}
