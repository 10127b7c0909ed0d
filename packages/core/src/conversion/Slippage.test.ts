import { expect, it } from 'vitest'
import * as Slippage from './Slippage.ts'

const least = (amountOutRaw: bigint, slippageBps: number, worstCaseOutRaw = amountOutRaw) =>
  Slippage.toMinAmountOut(amountOutRaw, { slippageBps, worstCaseOutRaw })

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

it('the maximum is the quoted input and the tolerance, rounded up', () => {
  expect(Slippage.toMaxAmountIn(1_000_000n, 5)).toBe(1_000_500n)
  expect(Slippage.toMaxAmountIn(1_000_001n, 5)).toBe(1_000_502n)
  expect(Slippage.toMaxAmountIn(1n, 5)).toBe(2n)
  expect(Slippage.toMaxAmountIn(1n, 0)).toBe(1n)
})

it('the maximum is at most the largest uint256', () => {
  const largest = 2n ** 256n - 1n
  expect(Slippage.toMaxAmountIn(largest, 5)).toBe(largest)
  expect(Slippage.toMaxAmountIn(largest - 1n, 0)).toBe(largest - 1n)
})

it('the recommended minimum is 0.05 % below the quote, from one raw unit to the worst case of the quote', () => {
  expect(Slippage.recommendMinAmountOut(650_874_400n)).toBe(650_548_962n)
  expect(Slippage.recommendMinAmountOut(1n)).toBe(1n)
  expect(Slippage.recommendMinAmountOut(1000n, 998n)).toBe(998n)
  expect(Slippage.recommendMinAmountOut(10_000n, 9_998n)).toBe(9_995n)
  expect(Slippage.recommendMinAmountOut(2n, 0n)).toBe(1n)
})

it('slippage excludes the fees of the whole route', () => {
  const fee = 5n * 10n ** 14n
  // 1,000 less two fees of 0.05 %.
  expect(Slippage.format(1_000_000_000n, 999_000_250n, [fee, fee])).toBe('0.0000%')
  expect(Slippage.format(1_000_000_000n, 999_000_250n)).toBe('0.0500%')
  expect(Slippage.format(1_000_000_000n, 990_000_000n, [])).toBe('1.0000%')
})
