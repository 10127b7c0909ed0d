/** Formats raw units with all fractional digits of the token. */
export function toDecimal(raw: bigint, decimals: number): string {
  const digits = raw.toString().padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
