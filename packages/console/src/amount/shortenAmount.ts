/** Cuts an amount to at most `maxDecimals` fractional digits, towards zero. */
export function shortenAmount(amount: string, maxDecimals: number): string {
  const [whole = '', fraction = ''] = amount.split('.')
  if (fraction.length <= maxDecimals) return amount
  return maxDecimals === 0 ? whole : `${whole}.${fraction.slice(0, maxDecimals)}`
}
