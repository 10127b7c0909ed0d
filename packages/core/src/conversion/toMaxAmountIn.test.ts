import { expect, it } from 'vitest'
import { toMaxAmountIn } from './toMaxAmountIn.ts'

it('the maximum is the quoted input and the tolerance, rounded up', () => {
  expect(toMaxAmountIn(1_000_000n, 5)).toBe(1_000_500n)
  expect(toMaxAmountIn(1_000_001n, 5)).toBe(1_000_502n)
  expect(toMaxAmountIn(1n, 5)).toBe(2n)
  expect(toMaxAmountIn(1n, 0)).toBe(1n)
})

it('the maximum is at most the largest uint256', () => {
  const largest = 2n ** 256n - 1n
  expect(toMaxAmountIn(largest, 5)).toBe(largest)
  expect(toMaxAmountIn(largest - 1n, 0)).toBe(largest - 1n)
})
