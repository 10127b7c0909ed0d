import * as Decimal from './Decimal.ts'

/** The parsed text of an amount field: empty, an amount of the token, or invalid with a reason. */
export type AmountText =
  | { readonly kind: 'empty' }
  | { readonly kind: 'amount'; readonly amount: string; readonly hint?: string }
  | { readonly kind: 'invalid'; readonly reason: string }

// The limit of the service.
const maxDigits = 80

/**
 * Parses the text of an amount field. Spaces, apostrophes and leading zeros are removed. A single mark before exactly three
 * digits that is not the decimal mark of the locale may separate thousands, so the user must decide. Other marks are read as
 * their positions demand, and the hint says how. Zero counts as empty. Digits are never cut off.
 *
 * @param mark the decimal mark of the user's locale
 * @returns an amount in whole tokens, in the format of the service
 */
export function parseAmountText(
  text: string,
  token: parseAmountText.Token,
  mark: string = Decimal.findMark(),
): AmountText {
  const compact = text.replaceAll(/[\s'’]/g, '')
  const marks = compact.match(/[.,]/g) ?? []
  const isUnusual = marks.length > 1 || (marks[0] !== undefined && marks[0] !== mark)
  if (isUnusual && /^[1-9]\d{0,2}[.,]\d{3}$/.test(compact)) {
    const options = `${compact.replace(/[.,]/, '')} or ${compact.replace(/[.,]/, mark)}`
    const name = marks[0] === ',' ? 'comma' : 'point'
    return invalid(`Write ${options}: the ${name} may separate thousands or decimals.`)
  }
  const plain = toPlain(compact, marks)
  if (plain === undefined || !/^\d*\.?\d*$/.test(plain)) {
    return invalid(`Use digits and one decimal point or comma, such as 1250${mark}50.`)
  }
  const [whole = '', fraction = ''] = plain.split('.')
  if (fraction.length > token.decimals) return invalid(describeDecimals(token))
  const units = whole.replace(/^0+(?=\d)/, '') || '0'
  const amount = fraction === '' ? units : `${units}.${fraction}`
  if (amount.length > maxDigits) return invalid(`Use at most ${maxDigits} digits.`)
  if (!/[1-9]/.test(amount)) return { kind: 'empty' }
  return isUnusual
    ? { kind: 'amount', amount, hint: `Read as ${Decimal.format(amount)} ${token.symbol}` }
    : { kind: 'amount', amount }
}

/** Returns a text without separators of thousands and with a point as decimal mark, or undefined if its marks fit no number. */
function toPlain(text: string, marks: readonly string[]): string | undefined {
  const last = marks.at(-1) ?? '.'
  if (marks.length <= 1) return text.replace(last, '.')
  const isDecimal = marks.indexOf(last) === marks.length - 1
  const end = isDecimal ? text.lastIndexOf(last) : text.length
  const whole = text.slice(0, end)
  // Locales group two or three digits.
  const isGrouped = /^\d{1,3}(?:([.,])\d{2,3}(?:\1\d{2,3})*(?<=\d{3}))$/.test(whole)
  return isGrouped ? `${whole.replaceAll(/[.,]/g, '')}${text.slice(end).replace(last, '.')}` : undefined
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
