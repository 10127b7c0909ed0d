import { Route } from '@agio/core'
import { parseAbi, parseUnits } from 'viem'
import { describe, expect, it } from 'vitest'
import { countCalls, recordRequests } from '../harness/recordRequests.ts'
import { eventually } from '../harness/timeLimits.ts'
import { writeContract } from '../harness/writeContract.ts'
import { setUpExactOut, type ExactOut } from './setUpExactOut.ts'

const setUp = setUpExactOut()
const { expectSmallestInput, prepare, convert, viewBoth } = setUp

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

it.each<ExactOut & { readonly reason: string }>([
  { from: 'fEUR', to: 'fUSD', amountOut: '600000', reason: 'beyond the halt' },
  { from: 'fUSD', to: 'fEUR', amountOut: '600000', reason: 'beyond the halt' },
  { from: 'fEUR', to: 'fUSD', amountOut: '100000000', reason: 'beyond the reserve' },
  { from: 'fEUR', to: 'fUSD', amountOut: '9'.repeat(71), reason: 'beyond any amount' },
  { from: 'fEUR', to: 'fAUD', amountOut: '300000', reason: 'beyond the halt of the second pool' },
  { from: 'fAUD', to: 'fEUR', amountOut: '300000', reason: 'beyond the halt of the first pool' },
  { from: 'tAUD', to: 'tEUR', amountOut: '300000', reason: 'beyond the halt of a pool of ours' },
])(
  'error: svc/above-max-origin for an exact output $reason: $amountOut $to for $from',
  async ({ reason: _, ...exactOut }) => {
    const market = exactOut.from.startsWith('f') ? setUp.foreign : setUp.mixed
    const { snapshot, route, amountOutRaw } = await prepare(market, exactOut)
    const quote = async () => await market.chain.conversions.priceExactOut(snapshot, { route, amountOutRaw })
    const refusal = await quote().then(undefined, (error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'svc/above-max-origin', details: { amountIn: expect.any(String) } })
    const { amountIn } = (refusal as { details: { amountIn: string } }).details
    // An input that the route refuses as well.
    const amountInRaw = parseUnits(amountIn, market.decimalsOf(exactOut.from))
    const preview = async () => await market.chain.conversions.priceExactIn(snapshot, { route, amountInRaw })
    await expect(preview()).rejects.toMatchObject({ code: 'svc/above-max-origin' })
  },
)

it('error: svc/above-max-origin of a route that ends in a pool priced on chain names no limit of the first pool', async () => {
  const { snapshot, route } = await prepare(setUp.mixed, { from: 'tEUR', to: 'tAUD', amountOut: '1' })
  expect(route.map(({ pool }) => pool.pricing)).toEqual(['local', 'on-chain'])
  const amountInRaw = parseUnits('100000000', 6)
  const price = async () => await setUp.mixed.chain.conversions.priceExactIn(snapshot, { route, amountInRaw })
  const refusal = await price().then(undefined, (error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'svc/above-max-origin', details: { amountIn: '100000000.000000' } })
  expect((refusal as { readonly details: object }).details).not.toHaveProperty('maxAmountIn')
})

it('an exact output whose block a reorganisation removed is quoted at the newest block', async () => {
  const id = await setUp.owner.client.snapshot()
  await setUp.owner.client.mine({ blocks: 1 })
  const { snapshot, route, amountOutRaw } = await prepare(setUp.foreign, { from: 'fEUR', to: 'fAUD', amountOut: '100' })
  await setUp.owner.client.revert({ id })
  await writeContract(setUp.owner.client, {
    address: setUp.foreign.oracles.fEUR,
    abi: parseAbi(['function setRound(int256 answer, uint256 updatedAt)']),
    functionName: 'setRound',
    args: [105_000_000n, (await setUp.owner.client.getBlock()).timestamp],
  })
  const { hash } = await setUp.owner.client.getBlock()
  expect(hash).not.toBe(snapshot.block.hash)
  const quoted = await setUp.foreign.chain.conversions.priceExactOut(snapshot, { route, amountOutRaw })
  expect(quoted.block.hash).toBe(hash)
  expect(quoted.route[0].pool.base.price.answer).toBe(105_000_000n)
  const [[outRaw, outOfLessRaw], leastRaw] = [
    await viewBoth(setUp.foreign, quoted),
    Route.fromWorstCaseOut(route, amountOutRaw),
  ]
  expect(outRaw).toBeGreaterThanOrEqual(leastRaw)
  expect(outOfLessRaw).toBeLessThan(leastRaw)
})

/** Counts the calls of views, which include those for a new head that the chains read meanwhile. Repeat it for a quiet count. */
async function countViews(price: () => unknown): Promise<number> {
  const requests = await recordRequests(setUp.proxy, async () => await price())
  return countCalls(requests, 'eth_call')
}
