/** The parsed text of an amount field: empty, an amount of the token, or invalid with a reason. */
export type AmountText =
  | { readonly kind: 'empty' }
  | { readonly kind: 'amount'; readonly amount: string; readonly hint?: string }
  | { readonly kind: 'invalid'; readonly reason: string }

// The limit of the service.
const maxDigits = 80

/**
 * Parses the text of an amount field. Spaces and leading zeros are removed, and a comma is read as a point, but not before
 * exactly three digits: there it may separate thousands. Zero counts as empty. Digits are never cut off.
 *
 * @returns an amount in whole tokens, in the format of the service
 */
export function parseAmountText(text: string, token: parseAmountText.Token): AmountText {
  const compact = text.replaceAll(/\s/g, '')
  const points = compact.match(/[.,]/g)?.length ?? 0
  if (points > 1) return invalid('Use one decimal point or comma and no thousands separators.')
  if (/,\d{3}$/.test(compact)) {
    const [whole, thousandths] = [compact.replace(',', '').replace(/^0+(?=\d)/, ''), compact.replace(',', '.')]
    return invalid(`Write ${whole} or ${thousandths}: the comma may separate thousands or decimals.`)
  }
  const plain = compact.replace(',', '.')
  if (!/^\d*\.?\d*$/.test(plain)) return invalid('Use digits and one point, such as 1250.50.')
  const [whole = '', fraction = ''] = plain.split('.')
  if (fraction.length > token.decimals) return invalid(describeDecimals(token))
  const units = whole.replace(/^0+(?=\d)/, '') || '0'
  const amount = fraction === '' ? units : `${units}.${fraction}`
  if (amount.length > maxDigits) return invalid(`Use at most ${maxDigits} digits.`)
  if (!/[1-9]/.test(amount)) return { kind: 'empty' }
  return compact.includes(',')
    ? { kind: 'amount', amount, hint: `Read as ${amount} ${token.symbol}` }
    : { kind: 'amount', amount }
}

export declare namespace parseAmountText {
  type Token = { readonly symbol: string; readonly decimals: number }
}

function describeDecimals({ symbol, decimals }: parseAmountText.Token): string {
  if (decimals === 0) return `${symbol} has no decimals.`
  return `${symbol} has at most ${decimals} ${decimals === 1 ? 'decimal' : 'decimals'}.`
}

function invalid(reason: string): AmountText {
  return { kind: 'invalid', reason }
}
