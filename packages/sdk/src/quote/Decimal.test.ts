import { expect, it } from 'vitest'
import * as Rate from '../../../core/src/amount/Rate.ts'
import * as Decimal from './Decimal.ts'

it.each([
  ['1', 6, 1_000_000n],
  ['007.50', 2, 750n],
  ['7', 0, 7n],
  ['9'.repeat(80), 0, 10n ** 80n - 1n],
  [`0.${'0'.repeat(79)}1`, 80, 1n],
])('%s with %i decimals is %d', (text, decimals, raw) => {
  expect(Decimal.parse(text, decimals)).toBe(raw)
})

it.each(['', '-1', '+1', '1e3', '.5', '5.', ' 1', '1 ', '1\n', '1,5', '0x10', '1.0000001', '9'.repeat(81), '٣'])(
  'the text "%s" is not a decimal with 6 decimals',
  (text) => {
    expect(Decimal.parse(text, 6)).toBeUndefined()
  },
)

it('a value that is not a string is not a decimal', () => {
  expect([undefined, null, 1, 1n, ['1']].filter((value) => Decimal.parse(value, 6) !== undefined)).toEqual([])
})

it('format writes every digit, which parse reads', () => {
  for (const [raw, decimals, text] of [
    [650_874_400n, 6, '650.874400'],
    [1n, 18, '0.000000000000000001'],
    [7n, 0, '7'],
    [0n, 2, '0.00'],
  ] as const) {
    expect(Decimal.format(raw, decimals)).toBe(text)
    expect(Decimal.parse(text, decimals)).toBe(raw)
  }
})

it.each([
  [{ raw: 10_000_000n, decimals: 6 }, { raw: 6_508_744n, decimals: 6 }, '0.65087440'],
  [{ raw: 3n * 10n ** 18n, decimals: 18 }, { raw: 1n, decimals: 6 }, '0.00000033333333'],
  [{ raw: 1n, decimals: 6 }, { raw: 0n, decimals: 6 }, '0.00000000'],
  [{ raw: 0n, decimals: 6 }, { raw: 1n, decimals: 6 }, '0.00000000'],
])('the rate of %o and %o is %s, as the service writes it', (amountIn, amountOut, rate) => {
  expect(Decimal.formatRate(amountIn, amountOut)).toBe(rate)
  expect(Rate.format(amountIn, amountOut)).toBe(rate)
})
