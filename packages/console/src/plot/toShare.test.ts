import { expect, it } from 'vitest'
import { toShare } from './toShare.ts'

it.each([
  [1n, 4n, 0.25],
  [-1n, 4n, -0.25],
  [5n, 4n, 1.25],
  [0n, 4n, 0],
  [3n, 0n, 0],
  [10n ** 40n, 3n * 10n ** 40n, 0.333333333333],
])('%d of %d is the share %d', (part, whole, share) => {
  expect(toShare(part, whole)).toBe(share)
})
