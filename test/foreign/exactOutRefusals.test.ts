import { Route } from '@agio/core'
import { parseAbi, parseUnits } from 'viem'
import { describe, expect, it, onTestFinished } from 'vitest'
import { foreignPrices } from '../harness/deployForeignPools.ts'
import { writeContract } from '../harness/writeContract.ts'
import { repeatOnce, setUpExactOut, type Market, type ExactOut } from './setUpExactOut.ts'

const setUp = setUpExactOut()
const { prepare, viewBoth } = setUp

const poolAbi = parseAbi(['function setFrozen(bool isFrozen)', 'function setEmergency(bool isEmergency)'])

const oracleAbi = parseAbi(['function setRound(int256 answer, uint256 updatedAt)'])

describe('an exact output that is refused', () => {
  const quote = async (market: Market, exactOut: ExactOut) => {
    const { snapshot, route, amountOutRaw } = await prepare(market, exactOut)
    return await repeatOnce(() => market.chain.conversions.priceExactOut(snapshot, { route, amountOutRaw }))
  }

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
      const refusal = await quote(market, exactOut).then(undefined, (error: unknown) => error)
      expect(refusal).toMatchObject({ code: 'svc/above-max-origin', details: { amountIn: expect.any(String) } })
      const { amountIn } = (refusal as { details: { amountIn: string } }).details
      // An input that the route refuses as well.
      const { snapshot, route } = await prepare(market, exactOut)
      const amountInRaw = parseUnits(amountIn, market.decimalsOf(exactOut.from))
      const preview = async () => await market.chain.conversions.priceExactIn(snapshot, { route, amountInRaw })
      await expect(preview()).rejects.toMatchObject({ code: 'svc/above-max-origin' })
    },
  )

  it.each(['setFrozen', 'setEmergency'] as const)(
    'error: svc/pool-frozen for an exact output after %s',
    async (name) => {
      const set = (isOn: boolean) =>
        writeContract(setUp.owner.client, {
          address: setUp.foreign.pools['fEUR/fUSD'],
          abi: poolAbi,
          functionName: name,
          args: [isOn],
        })
      onTestFinished(async () => void (await set(false)))
      await set(true)
      for (const pair of [
        { from: 'fEUR', to: 'fUSD' },
        { from: 'fAUD', to: 'fEUR' },
        { from: 'fEUR', to: 'fAUD' },
      ]) {
        await expect(quote(setUp.foreign, { ...pair, amountOut: '10' })).rejects.toMatchObject({
          code: 'svc/pool-frozen',
        })
      }
    },
  )

  it('error: svc/stale-price for an exact output after the maximum age, and for a price below zero', async () => {
    const set = (answer: bigint, updatedAt: bigint) =>
      writeContract(setUp.owner.client, {
        address: setUp.foreign.oracles.fEUR,
        abi: oracleAbi,
        functionName: 'setRound',
        args: [answer, updatedAt],
      })
    const { timestamp } = await setUp.owner.client.getBlock()
    onTestFinished(async () => void (await set(foreignPrices.fEUR, (await setUp.owner.client.getBlock()).timestamp)))
    for (const [answer, ageSeconds] of [
      [foreignPrices.fEUR, 3700n],
      [-1n, 0n],
      [0n, 0n],
    ] as const) {
      await set(answer, timestamp - ageSeconds)
      for (const pair of [
        { from: 'fEUR', to: 'fUSD' },
        { from: 'fAUD', to: 'fEUR' },
        { from: 'fEUR', to: 'fAUD' },
      ]) {
        const refusal = { code: 'svc/stale-price', details: { oracle: setUp.foreign.oracles.fEUR } }
        await expect(quote(setUp.foreign, { ...pair, amountOut: '10' })).rejects.toMatchObject(refusal)
      }
    }
  })
})

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
    abi: oracleAbi,
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
