import { expect, it } from 'vitest'
import { shortenAmount } from './shortenAmount.ts'

it.each([
  ['1.23456789', 6, '1.234567'],
  ['1.999999', 2, '1.99'],
  ['1.2', 6, '1.2'],
  ['12.9', 0, '12'],
  ['12', 2, '12'],
])('of %s, at most %i fractional digits are shown, without rounding: %s', (amount, maxDecimals, shown) => {
  expect(shortenAmount(amount, maxDecimals)).toBe(shown)
})
