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
