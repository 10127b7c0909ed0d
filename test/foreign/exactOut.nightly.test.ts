import { parseUnits } from 'viem'
import { expect, it } from 'vitest'
import { deploySkewedPools } from '../harness/deploySkewedPools.ts'
import { executeQuote } from '../harness/executeQuote.ts'
import { setUp } from '../harness/setUp.ts'
import { startAgio } from '../harness/startAgio.ts'
import { toDecimal } from '../harness/toPreview.ts'

// Foreign pools, without one of ours: test/quotes/foreign.test.ts.

// Without a skew, a pool is priced locally.
const stack = setUp(() =>
  startAgio({
    prepare: async (localnet) => void (await deploySkewedPools(localnet, { 'tAUD/tUSD': -137n, 'tEUR/tUSD': 0n })),
  }),
)

const pairOf = (from: 'tAUD' | 'tEUR') => {
  const { tokens } = stack.localnet.chains[84532]
  const to = from === 'tAUD' ? 'tEUR' : 'tAUD'
  return { chainId: 84532, tokenIn: tokens[from], tokenOut: tokens[to] }
}

it.each([
  ['tEUR', '1000'],
  ['tAUD', '1000'],
  ['tEUR', '98765.432109'],
] as const)(
  'an exact output over a pool of ours and one that is priced on chain is paid by the smallest input that does: from %s, %s',
  async (from, amountOut) => {
    const input = { ...pairOf(from), amountOut }
    const done = await executeQuote(stack.callers.REST, stack.localnet.chains[84532], input)
    expect(done.paidRaw).toBe(done.amountInRaw)
    expect(done.receivedRaw).toBeGreaterThanOrEqual(done.amountOutRaw)
    const smaller = { ...pairOf(from), amountIn: toDecimal(done.amountInRaw - 1n, 6), slippageBps: 0 }
    const { data } = await stack.callers.REST('convert.quote', smaller)
    expect(parseUnits(data?.['minAmountOut'] as string, 6)).toBeLessThan(done.amountOutRaw)
  },
)

it('error: svc/above-max-origin over such pools names no limit of the first pool', async () => {
  const { failure } = await stack.callers.REST('convert.preview', { ...pairOf('tEUR'), amountIn: '100000000' })
  expect(failure).toMatchObject({ code: 'svc/above-max-origin', amountIn: '100000000.000000' })
  expect(failure).not.toHaveProperty('maxAmountIn')
})
