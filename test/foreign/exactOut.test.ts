import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { foreignPrices } from '../harness/deployForeignPools.ts'
import { countCalls, recordRequests } from '../harness/recordRequests.ts'
import { eventually } from '../harness/timeLimits.ts'
import { setUpExactOut, type ExactOut, seed } from './setUpExactOut.ts'

const setUp = setUpExactOut()
const { expectSmallestInput, prepare, convert } = setUp

const isExhaustive = inject('extent') === 'exhaustive'

const symbols = Object.keys(foreignPrices)
const pairs = symbols
  .flatMap((from) => symbols.filter((to) => to !== from).map((to) => ({ from, to })))
  .map((pair, index) => ({ ...pair, index }))

describe('an exact output over foreign pools', () => {
  it.each<ExactOut>([
    { from: 'fEUR', to: 'fUSD', amountOut: '1000' },
    { from: 'fUSD', to: 'fEUR', amountOut: '0.01' },
    { from: 'fAUD', to: 'fUSD', amountOut: '0.000001' },
    { from: 'fAUD', to: 'fUSD', amountOut: '1234.567891' },
    { from: 'fUSD', to: 'fAUD', amountOut: '99.123456789012345678' },
    { from: 'fSGD', to: 'fUSD', amountOut: '31415.926535' },
    { from: 'fUSD', to: 'fSGD', amountOut: '7' },
    { from: 'fEUR', to: 'fAUD', amountOut: '271.82' },
    { from: 'fAUD', to: 'fEUR', amountOut: '5000.05' },
    { from: 'fSGD', to: 'fAUD', amountOut: '0.000000000000000001' },
    // Beyond the flat zone of the pools.
    { from: 'fEUR', to: 'fUSD', amountOut: '430000' },
    { from: 'fUSD', to: 'fAUD', amountOut: '150000' },
    { from: 'fAUD', to: 'fEUR', amountOut: '100000.01' },
  ])('an exact output is paid by the smallest input that suffices: $amountOut $to for $from', async (exactOut) => {
    await expectSmallestInput(setUp.foreign, exactOut)
  })

  // Each pair has a time limit of its own: on a loaded machine all of them take longer than one test may.
  it.each(pairs)(
    'random exact outputs are paid by the smallest inputs that suffice: $to for $from',
    async ({ index, ...pair }) => {
      for (const dollars of fc.sample(fc.integer({ min: -4, max: 5 }), {
        seed: seed + index,
        numRuns: isExhaustive ? 3 : 1,
      })) {
        const decimals = setUp.foreign.decimalsOf(pair.to)
        const [amountRaw = 1n] = fc.sample(
          fc.bigInt({ min: 1n, max: 1n + 10n ** BigInt(Math.max(decimals + dollars, 1)) }),
          { seed: seed + index + dollars, numRuns: 1 },
        )
        await expectSmallestInput(setUp.foreign, { ...pair, amountOutRaw: amountRaw })
      }
    },
  )

  it.each<ExactOut & { readonly most: number }>([
    { from: 'fEUR', to: 'fUSD', amountOut: '1000', most: 2 },
    { from: 'fUSD', to: 'fAUD', amountOut: '1000', most: 2 },
    { from: 'fEUR', to: 'fAUD', amountOut: '1000', most: 6 },
    // Many inputs of 18 decimals pay the same output.
    { from: 'fAUD', to: 'fUSD', amountOut: '1000', most: 5 },
    { from: 'fAUD', to: 'fEUR', amountOut: '1000', most: 9 },
    // Beyond the flat zone.
    { from: 'fEUR', to: 'fUSD', amountOut: '430000', most: 6 },
  ])('an exact output takes at most $most calls of views: $amountOut $to for $from', async ({ most, ...exactOut }) => {
    const { snapshot, ...request } = await prepare(setUp.foreign, exactOut)
    const price = () => setUp.foreign.chain.conversions.priceExactOut(snapshot, request)
    await expect.poll(() => countViews(price), eventually).toBeLessThanOrEqual(most)
  })
})

describe('an exact output over a pool of ours and one that is priced on chain', () => {
  it.each<ExactOut>([
    { from: 'tEUR', to: 'tAUD', amountOut: '1000' },
    { from: 'tAUD', to: 'tEUR', amountOut: '1000' },
    { from: 'tAUD', to: 'tEUR', amountOut: '0.000001' },
    { from: 'tEUR', to: 'tAUD', amountOut: '98765.432109' },
  ])('an exact output is paid by the smallest input that suffices: $amountOut $to for $from', async (exactOut) => {
    const route = await expectSmallestInput(setUp.mixed, exactOut)
    expect(route.map(({ pool }) => pool.pricing).sort()).toEqual(['local', 'on-chain'])
  })

  it('an exact output over pools of ours takes no request, and its own function', async () => {
    const { snapshot, ...request } = await prepare(setUp.mixed, { from: 'tEUR', to: 'tUSD', amountOut: '1000' })
    const { route, amountOutRaw } = request
    const price = () => setUp.mixed.chain.conversions.priceExactOut(snapshot, request)
    await expect.poll(() => countViews(price), eventually).toBe(0)
    const quoted = await price()
    expect(quoted).toMatchObject({ execution: 'target-swap', amountOutRaw, worstCaseOutRaw: amountOutRaw })
    expect(quoted.block).toEqual(snapshot.block)
    expect(await convert(setUp.mixed, { route, amountInRaw: quoted.amountInRaw })).toBeGreaterThanOrEqual(amountOutRaw)
  })
})

/** Counts the calls of views, which include those for a new head that the chains read meanwhile. Repeat it for a quiet count. */
async function countViews(price: () => unknown): Promise<number> {
  const requests = await recordRequests(setUp.proxy, async () => await price())
  return countCalls(requests, 'eth_call')
}
