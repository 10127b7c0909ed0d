import { expect, it } from 'vitest'
import { toSlippageBps } from './createQuotes.ts'

const millionTokens = { amountIn: '1000000000000000000000000', amountOut: '2000000' }
const amountInRaw = 10n ** 24n

it.each([
  ['what was quoted', { amountInRaw, amountOutRaw: 2_000_000n }, 0],
  ['a hundredth less', { amountInRaw, amountOutRaw: 1_980_000n }, 100],
  ['a hundredth more', { amountInRaw, amountOutRaw: 2_020_000n }, -100],
  ['the quoted output for a quarter more', { amountInRaw: (amountInRaw * 5n) / 4n, amountOutRaw: 2_000_000n }, 2000],
  ['one raw unit less', { amountInRaw, amountOutRaw: 1_999_999n }, 0.005],
  ['nothing', { amountInRaw, amountOutRaw: 0n }, 10_000],
  ['nothing for nothing', { amountInRaw: 0n, amountOutRaw: 0n }, 0],
] as const)('the slippage of a quote that receives %s is relative to its rate, in basis points', (_, paid, bps) => {
  expect(toSlippageBps(millionTokens, paid)).toBe(bps)
})
