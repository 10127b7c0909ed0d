/**
 * Parses a decimal string into units of the last decimal: `1.5` with 6 decimals is `1500000n`.
 *
 * @returns undefined for any other text, more fractional digits, or more than 80 digits before or after the point
 */
export function parse(text: unknown, decimals: number): bigint | undefined {
  const [, whole, fraction = ''] = (typeof text === 'string' && /^(\d{1,80})(?:\.(\d{1,80}))?$/.exec(text)) || []
  if (whole === undefined || fraction.length > decimals) return undefined
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** Returns units of the last decimal as a decimal string, with every digit. */
export function format(raw: bigint, decimals: number): string {
  const digits = raw.toString().padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

const rateDigits = 8

/**
 * Returns the rate between two amounts, output per input in whole tokens, with the digits of the service: eight
 * fractional digits, and more below 0.1. Further digits are cut off.
 */
export function formatRate(amountIn: RawAmount, amountOut: RawAmount): string {
  const numerator = amountOut.raw * powerOfTen(amountIn.decimals)
  const denominator = amountIn.raw * powerOfTen(amountOut.decimals)
  if (denominator === 0n || numerator === 0n) return format(0n, rateDigits)
  let digits = rateDigits
  const scale = () => (numerator * powerOfTen(digits)) / denominator
  while (scale() < powerOfTen(rateDigits - 1)) digits += 1
  return format(scale(), digits)
}

/** An amount in raw units of a token with the given decimals. */
type RawAmount = { readonly raw: bigint; readonly decimals: number }

function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(exponent)
}
