import { expect, it } from 'vitest'
import { formatShare } from './formatShare.ts'

it.each([
  [325_600n, 651_200_000n, '0.0500%'],
  [-325_600n, 651_200_000n, '-0.0500%'],
  [650_874_400n, 651_200_000n, '99.9500%'],
  [1n, 3n, '33.3333%'],
  [2n, 3n, '66.6667%'],
  [-2n, 74_130_992n, '-0.0000027%'],
  [1n, 10n ** 9n, '0.00000010%'],
  [1n, 20_000n, '0.0050%'],
  [1n, 10n ** 40n, '0.000000000000000000%'],
  [0n, 7n, '0.0000%'],
  [7n, 0n, '–'],
])('%d of %d is shown as %s', (part, whole, shown) => {
  expect(formatShare(part, whole)).toBe(shown)
})
