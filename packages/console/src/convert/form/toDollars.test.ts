import { expect, it } from 'vitest'
import { toDollars } from './toDollars.ts'

it.each([
  ['100', '0.6512', '≈ $65.12'],
  ['0.01', '0.6512', '< $0.01'],
  ['1234567.891234', '1.00', '≈ $1,234,567.89'],
])('%s tokens at %s dollars are %s', (amount, usd, value) => {
  expect(toDollars(amount, usd)).toBe(value)
})
