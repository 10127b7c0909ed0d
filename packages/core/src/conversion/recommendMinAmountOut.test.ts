import { expect, it } from 'vitest'
import { recommendMinAmountOut } from './recommendMinAmountOut.ts'

it('takes 0.05 % off, rounded down', () => {
  expect(recommendMinAmountOut(650_874_400n)).toBe(650_548_962n)
})

it('is at least one raw unit', () => {
  expect(recommendMinAmountOut(1n)).toBe(1n)
})

it('is no more than what is paid at least, where 0.05 % are less than what may be missing', () => {
  expect(recommendMinAmountOut(1000n, 998n)).toBe(998n)
  expect(recommendMinAmountOut(10_000n, 9_998n)).toBe(9_995n)
  expect(recommendMinAmountOut(2n, 0n)).toBe(1n)
})
