/** Cuts the fractional digits of an amount off, towards zero; an amount that has no more stays as it is. */
export function shortenAmount(amount: string, maxDecimals: number): string {
  const [whole = '', fraction = ''] = amount.split('.')
  if (fraction.length <= maxDecimals) return amount
  return maxDecimals === 0 ? whole : `${whole}.${fraction.slice(0, maxDecimals)}`
}
