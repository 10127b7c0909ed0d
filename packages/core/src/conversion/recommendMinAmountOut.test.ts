import { expect, it } from 'vitest'
import { recommendMinAmountOut } from './recommendMinAmountOut.ts'

it('takes 0.05 % off, rounded down', () => {
  expect(recommendMinAmountOut(650_874_400n)).toBe(650_548_962n)
})

it('is at least one raw unit', () => {
  expect(recommendMinAmountOut(1n)).toBe(1n)
})
