import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as Decimal from './Decimal.ts'

it.each([
  ['1.234', 2],
  ['', 6],
  ['.5', 6],
  ['1e3', 6],
])('error: %s is not an amount with %i decimals', (amount, decimals) => {
  expect(() => Decimal.toRaw(amount, decimals)).toThrow(RangeError)
})

it('a formatted amount is parsed as the same raw units, with all digits of the token', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
      fc.integer({ min: 0, max: 24 }),
      (raw, decimals) => {
        const amount = Decimal.fromRaw(raw, decimals)
        expect(Decimal.toRaw(amount, decimals)).toBe(raw)
        expect(amount.split('.')[1]?.length ?? 0).toBe(decimals)
      },
    ),
  )
})

it.each([
  ['0.5', '0.50', 0],
  ['9', '10', -1],
  ['65.087441', '65.08744', 1],
  ['0.000000000000000001', '0', 1],
  // As numbers, both would be equal.
  ['9007199254740993', '9007199254740992', 1],
])('%s compared with %s is %d', (one, other, order) => {
  expect(Decimal.compare(one, other)).toBe(order)
})

it.each([
  ['0.6512', 6, '1.535626'],
  ['3', 4, '0.3333'],
  ['12345678901234567890.5', 24, '0.000000000000000000081000'],
  ['4', 0, '0'],
])('one divided by %s with %d digits is %s', (rate, digits, inverse) => {
  expect(Decimal.invert(rate, digits)).toBe(inverse)
})

it('a rate of zero has no inverse', () => {
  expect(Decimal.invert('0.000', 6)).toBeUndefined()
})

it.each([
  ['767813.267813', '767,813.267813'],
  ['-1234.5', '-1,234.5'],
  ['999.123456789012345678', '999.123456789012345678'],
  ['0.000001', '0.000001'],
  ['', ''],
])('the amount %s is shown as %s, with all of its digits', (amount, shown) => {
  expect(Decimal.format(amount)).toBe(shown)
})

it.each([
  ['1234567.890', 'de-DE', '1.234.567,890'],
  ['1234567.890', 'en-IN', '12,34,567.890'],
  ['-0.5', 'de-DE', '-0,5'],
  ['12345678901234567890.000000000000000001', 'ar-EG', '12,345,678,901,234,567,890.000000000000000001'],
])('the amount %s is shown in %s as %s', (amount, locale, shown) => {
  expect(Decimal.format(amount, locale)).toBe(shown)
})

it.each([
  ['100.000000', '100'],
  ['64.930000', '64.93'],
  ['0.000001', '0.000001'],
  ['0.0', '0'],
])('%s is %s without the zeros at its end', (amount, trimmed) => {
  expect(Decimal.trim(amount)).toBe(trimmed)
})

it.each([
  ['1.23456789', 6, '1.234567'],
  ['1.2', 6, '1.2'],
  ['12.9', 0, '12'],
])('of %s, at most %i fractional digits are shown, without rounding: %s', (amount, maxDecimals, shown) => {
  expect(Decimal.shorten(amount, maxDecimals)).toBe(shown)
})

it.each([
  [325_600n, 651_200_000n, '0.05%'],
  [-325_600n, 651_200_000n, '-0.05%'],
  [2n, 3n, '66.67%'],
  [999_999_999n, 10n ** 9n, '99.9999999%'],
  [-2n, 74_130_992n, '-0.0000027%'],
  [1n, 20_000n, '0.005%'],
  [1n, 10n ** 40n, '0.00%'],
  [7n, 0n, '–'],
])('%d of %d is shown as %s', (part, whole, shown) => {
  expect(Decimal.formatShare(part, whole)).toBe(shown)
})

it.each([
  ['0.0000%', '0.00%'],
  ['-0.0500%', '-0.05%'],
  ['-12.3456%', '-12.35%'],
  ['0.0012%', '0.0012%'],
])('%s of a response is shown as %s', (percent, shown) => {
  expect(Decimal.formatPercent(percent)).toBe(shown)
})

it.each([
  ['100', '0.6512', '≈ $65.12'],
  ['0.01', '0.6512', '< $0.01'],
  ['1234567.891234', '1.00', '≈ $1,234,567.89'],
])('%s tokens at %s dollars are %s', (amount, usd, value) => {
  expect(Decimal.formatDollars(amount, usd)).toBe(value)
})
