import { Amount, Errors } from '@agio/core'

// More digits may not be what the client meant: a double has about 15.9 significant digits.
const maxDigits = 15

const amountFields: ReadonlySet<string> = new Set(['amountIn', 'amountOut', 'amounts', 'amount'])

/** A JSON number with its text, which `JSON.parse` alone would lose. */
class SentNumber {
  readonly text: string
  readonly value: number

  constructor(value: number, text: string) {
    this.value = value
    this.text = text
  }
}

type Source = { readonly source?: string }

/** Parses the arguments of a tool call, and keeps the text of each number. @param json valid JSON of a `tools/call` */
export function parseArguments(json: string): unknown {
  const keepText = (_: string, value: unknown, ...[sent]: readonly Source[]) =>
    typeof value === 'number' ? new SentNumber(value, sent?.source ?? String(value)) : value
  const { params } = JSON.parse(json, keepText) as { readonly params?: { readonly arguments?: unknown } }
  return params?.arguments ?? {}
}

/**
 * Returns the arguments of a tool. A number in the field of an amount becomes its text, because models and command lines send
 * numbers; every other number stays a number.
 *
 * @returns the arguments, and how each number was read, by its path
 * @throws `svc/invalid-request` for a number whose text is not certain to be what the client meant
 */
export function readAmounts(sent: unknown): AmountsRead {
  const readAs: Record<string, string> = {}
  function read(value: unknown, path: readonly string[]): unknown {
    if (value instanceof SentNumber) {
      if (!amountFields.has(path[0] ?? '')) return value.value
      const field = path.join('.')
      readAs[field] = toAmountText(value.text, field)
      return readAs[field]
    }
    if (Array.isArray(value)) return value.map((item, index) => read(item, [...path, String(index)]))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, read(inner, [...path, name])]))
  }
  return { input: read(sent, []), readAs }
}

type AmountsRead = { readonly input: unknown; readonly readAs: Readonly<Record<string, string>> }

function toAmountText(text: string, field: string): string {
  const digits = text.replace('.', '').replace(/^0+/, '')
  const isExact = /^\d+(\.\d+)?$/.test(text) && digits.length <= maxDigits
  // The procedure refuses a negative amount with a better sentence.
  if (isExact || text.startsWith('-')) return text
  const plain = findPlainText(text)
  const hint = plain === undefined ? 'text, such as "100.5"' : `text: ${JSON.stringify(plain)}`
  throw Errors.invalidRequest({ field, reason: `a number may lose digits. Send ${hint}` })
}

/** Returns a number without an exponent and with all its digits; undefined if that is no amount of any token. */
function findPlainText(text: string): string | undefined {
  const [, whole, fraction = '', exponent = '0'] = /^(\d{1,40})(?:\.(\d{1,40}))?(?:e([+-]?\d{1,2}))?$/i.exec(text) ?? []
  if (whole === undefined) return undefined
  const value = BigInt(whole + fraction)
  const decimals = fraction.length - Number(exponent)
  return decimals <= 0 ? String(value * 10n ** BigInt(-decimals)) : Amount.format(value, decimals)
}
