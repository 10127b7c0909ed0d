import { expect, it } from 'vitest'
import { formatFee } from './formatFee.ts'

it.each([
  [500_000_000_000_000n, '0.05%'],
  [10_000_000_000_000_000n, '1.00%'],
  [1_250_000_000_000_000n, '0.125%'],
  [0n, '0.00%'],
])('the fee %i is formatted as %s', (epsilon, text) => {
  expect(formatFee(epsilon)).toBe(text)
})
