import { expect, it } from 'vitest'
import { formatAmount } from './formatAmount.ts'

it.each([
  ['767813.267813', '767,813.267813'],
  ['1000000', '1,000,000'],
  ['-1234.5', '-1,234.5'],
  ['999.123456789012345678', '999.123456789012345678'],
  ['0.000001', '0.000001'],
  ['', ''],
])('the amount %s is shown as %s, with all of its digits', (amount, shown) => {
  expect(formatAmount(amount)).toBe(shown)
})
