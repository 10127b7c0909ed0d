import { expect, it } from 'vitest'
import { formatShare } from './liquidityPreview.ts'

it.each([
  [1n, 1n, '100.00000000%'],
  [10_000n, 2_010_000n, '0.49751243%'],
  [1n, 3n, '33.33333333%'],
  [1n, 2_000_000n * 10n ** 18n, '0.000000000000000000000050000000%'],
  [0n, 5n, '0.00000000%'],
])('the share of %i in a supply of %i is %s', (lpAmountRaw, supplyRaw, text) => {
  expect(formatShare(lpAmountRaw, supplyRaw)).toBe(text)
})
