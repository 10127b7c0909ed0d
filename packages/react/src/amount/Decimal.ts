/**
 * Converts an amount to raw units: `1.5` with 6 decimals is `1500000n`.
 *
 * @param amount a decimal string, may be negative
 *
 * @throws RangeError if it is not a decimal, or has more digits than the token
 */
export function toRaw(amount: string, decimals: number): bigint {
  const [, whole, fraction = ''] = /^(-?\d+)(?:\.(\d+))?$/.exec(amount) ?? []
  if (whole === undefined || !/^0*$/.test(fraction.slice(decimals))) {
    throw new RangeError(`Cannot read ${amount}: it is not a decimal with at most ${decimals} fractional digits`)
  }
  return BigInt(`${whole}${fraction.slice(0, decimals).padEnd(decimals, '0')}`)
}

/**
 * Converts raw units to an amount with all fractional digits of its token: `1500000n` with 6 decimals is `1.500000`.
 */
export function fromRaw(raw: bigint, decimals: number): string {
  const digits = (raw < 0n ? -raw : raw).toString().padStart(decimals + 1, '0')
  const sign = raw < 0n ? '-' : ''
  const whole = digits.slice(0, digits.length - decimals)
  return decimals === 0 ? `${sign}${whole}` : `${sign}${whole}.${digits.slice(-decimals)}`
}

/** Returns the number of fractional digits of a decimal string. */
function countDecimals(amount: string): number {
  return amount.split('.')[1]?.length ?? 0
}

/** Compares two decimal strings. Returns -1 if the first is smaller, 0 if they are equal, else 1. */
export function compare(left: string, right: string): -1 | 0 | 1 {
  const decimals = Math.max(countDecimals(left), countDecimals(right))
  const [first, second] = [toRaw(left, decimals), toRaw(right, decimals)]
  if (first === second) return 0
  return first < second ? -1 : 1
}

/**
 * Returns the inverse of a rate, both as decimal strings, rounded down to `digits` fractional digits. Returns undefined
 * for a rate of zero.
 */
export function invert(rate: string, digits: number): string | undefined {
  const decimals = countDecimals(rate)
  const raw = toRaw(rate, decimals)
  return raw === 0n ? undefined : fromRaw(10n ** BigInt(decimals + digits) / raw, digits)
}

// Without a document, there is no user whose locale counts.
const userLocale = typeof document === 'undefined' ? 'en' : navigator.language

/**
 * Groups the integer digits of an amount as the locale does: `767813.267813` becomes `767,813.267813`, or `767.813,267813` in
 * German. Keeps all digits.
 */
export function format(amount: string, locale = userLocale): string {
  const [, sign = '', whole, rest = ''] = /^(-?)(\d+)(.*)$/.exec(amount) ?? []
  if (whole === undefined) return amount
  return `${sign}${toFormat(locale).format(BigInt(whole))}${localize(rest, locale)}`
}

/** Writes the decimal mark of the locale into an amount, for a field in which the user may type on. */
export function localize(amount: string, locale = userLocale): string {
  return amount.replace('.', findMark(locale))
}

/** Returns the mark between units and fraction in the locale of the user: a point or a comma. */
export function findMark(locale = userLocale): string {
  return (
    toFormat(locale)
      .formatToParts(0.1)
      .find(({ type }) => type === 'decimal')?.value ?? '.'
  )
}

const formats = new Map<string, Intl.NumberFormat>()

function toFormat(locale: string): Intl.NumberFormat {
  const known = formats.get(locale) ?? new Intl.NumberFormat(locale, { numberingSystem: 'latn' })
  formats.set(locale, known)
  return known
}

/** Removes trailing zeros from the fraction of an amount or a rate: `0.651200` becomes `0.6512`. */
export function trim(amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount
}

/** Cuts an amount to at most `maxDecimals` fractional digits, towards zero. */
export function shorten(amount: string, maxDecimals: number): string {
  const [whole = '', fraction = ''] = amount.split('.')
  if (fraction.length <= maxDecimals) return amount
  return maxDecimals === 0 ? whole : `${whole}.${fraction.slice(0, maxDecimals)}`
}

const minDecimals = 2
// A smaller share than 10^-18 is less than a raw unit of any displayed amount.
const maxDecimals = 18

/**
 * Formats a share as percent, rounded half away from zero. It has two fractional digits, or more where two would mislead: as
 * many as the first two digits of a smaller share need, and as many as show that a share is not the whole: `25.00%`, `0.05%`,
 * `-0.0000027%`, `99.9999%`.
 */
export function formatShare(part: bigint, whole: bigint): string {
  if (whole === 0n) return '–'
  const [dividend, divisor] = [abs(part), abs(whole)]
  const decimals = chooseDecimals(dividend, divisor)
  const sign = part !== 0n && part < 0n !== whole < 0n ? '-' : ''
  const digits = fromRaw(round(dividend, divisor, decimals), decimals)
  return `${sign}${format(digits.replace(/(\.\d\d\d*?)0+$/, '$1'))}%`
}

/** Formats the percent of a response, such as `-0.0500%`, like `formatShare`. */
export function formatPercent(percent: string): string {
  const number = percent.replace('%', '')
  const decimals = number.split('.')[1]?.length ?? 0
  return formatShare(toRaw(number, decimals), 100n * 10n ** BigInt(decimals))
}

/**
 * Returns the value of an amount in dollars and cents, rounded down: `≈ $65.12`.
 *
 * @param usd the price of one token in dollars
 */
export function formatDollars(amount: string, usd: string): string {
  const cents = (toRaw(amount, priceDigits) * toRaw(usd, priceDigits)) / 10n ** BigInt(2 * priceDigits - 2)
  return cents === 0n ? '< $0.01' : `≈ $${format(fromRaw(cents, 2))}`
}

// No token and no price has more.
const priceDigits = 18

function chooseDecimals(part: bigint, whole: bigint): number {
  if (part === 0n) return minDecimals
  for (let decimals = minDecimals; decimals < maxDecimals; decimals += 1) {
    const rounded = round(part, whole, decimals)
    const isWhole = rounded === 100n * 10n ** BigInt(decimals)
    if (rounded >= 10n && (!isWhole || part === whole)) return decimals
  }
  return maxDecimals
}

/** Returns a share in percent as an integer, in units of the last decimal. */
function round(part: bigint, whole: bigint, decimals: number): bigint {
  return (2n * part * 10n ** BigInt(decimals + 2) + whole) / (2n * whole)
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value
}
