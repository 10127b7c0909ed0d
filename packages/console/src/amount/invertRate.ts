/**
 * Returns one divided by a rate, both decimal strings, with `digits` fractional digits of which none is rounded up; undefined for
 * a rate of zero.
 */
export function invertRate(rate: string, digits: number): string | undefined {
  const [whole = '', fraction = ''] = rate.split('.')
  const raw = BigInt(whole + fraction)
  if (raw === 0n) return undefined
  const text = (10n ** BigInt(fraction.length + digits) / raw).toString().padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}
