import { expect, it } from 'vitest'
import { recommendMinAmountOut } from './recommendMinAmountOut.ts'

it('the recommended minimum is 0.05 % below the quote, rounded down', () => {
  expect(recommendMinAmountOut(650_874_400n)).toBe(650_548_962n)
})

it('the recommended minimum is at least one raw unit', () => {
  expect(recommendMinAmountOut(1n)).toBe(1n)
})

it('the recommended minimum is never above the worst case of the quote', () => {
  expect(recommendMinAmountOut(1000n, 998n)).toBe(998n)
  expect(recommendMinAmountOut(10_000n, 9_998n)).toBe(9_995n)
  expect(recommendMinAmountOut(2n, 0n)).toBe(1n)
})
