import { expect, it } from 'vitest'
import { toMinAmountOut } from './toMinAmountOut.ts'

const least = (amountOutRaw: bigint, slippageBps: number, worstCaseOutRaw = amountOutRaw) =>
  toMinAmountOut(amountOutRaw, { slippageBps, worstCaseOutRaw })

it('the minimum is the quoted output less the tolerance, rounded down', () => {
  expect(least(650_874_400n, 5)).toBe(650_548_962n)
  expect(least(650_874_400n, 0)).toBe(650_874_400n)
  expect(least(10_001n, 5000)).toBe(5000n)
})

it('the minimum is at least one raw unit and never above the worst case of the quote', () => {
  expect(least(1n, 5)).toBe(1n)
  expect(least(1000n, 0, 998n)).toBe(998n)
  expect(least(1n, 0, 0n)).toBe(1n)
})
