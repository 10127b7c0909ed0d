import { Network } from '@agio/core'
import fc from 'fast-check'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Caller } from '../harness/Caller.ts'
import { toDecimal } from '../harness/toPreview.ts'
import { setPrice } from '../harness/movePrice.ts'
import { partOf } from '../harness/partOf.ts'
import { randomSeed } from '../harness/randomSeed.ts'
import { recordRequests } from '../harness/recordRequests.ts'
import { startProxiedStack } from '../harness/startProxiedStack.ts'
import { eventually } from '../harness/timeLimits.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { setUp } from '../harness/setUp.ts'

const seed = randomSeed('ladders')

const symbols = ['tAUD', 'tUSD', 'tEUR'] as const
const userAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const pairs = symbols.flatMap((from) => symbols.filter((to) => to !== from).map((to) => ({ from, to })))

const stack = setUp(startProxiedStack)
const call: Caller = (...request) => stack.callers.REST(...request)

describe.each(partOf(Network.chainIds))('ladders on chain %i', (chainId) => {
  it.each(pairs)(
    'a ladder of 50 random amounts equals 50 previews at its block, $from to $to',
    async ({ from, to }) => {
      const chain = stack.localnet.chains[chainId]
      const pair = { chainId, tokenIn: chain.tokens[from], tokenOut: chain.tokens[to] }
      // Amounts of one raw unit to ten million tokens: below what pays and above the halt too.
      const amountRaw = fc
        .integer({ min: 0, max: 13 })
        .chain((digits) => fc.bigInt({ min: 1n, max: 10n ** BigInt(digits) }))
      const amounts = fc.sample(amountRaw, { seed, numRuns: 50 }).map((raw) => toDecimal(raw, 6))
      const { data } = await call('convert.ladder', { ...pair, amounts })
      const rows = data?.['rows'] as readonly Readonly<Record<string, unknown>>[]
      const previews = await Promise.all(amounts.map((amountIn) => call('convert.preview', { ...pair, amountIn })))
      const expected = previews.map(({ data: preview, failure }, index) =>
        preview
          ? { amountIn: amounts[index], amountOut: preview['amountOut'], exchangeRate: preview['exchangeRate'] }
          : { amountIn: amounts[index], error: { code: failure?.code } },
      )
      expect(rows).toMatchObject(expected)
      expect(new Set(previews.flatMap(({ data: preview }) => preview?.['blockNumber'] ?? []))).toEqual(
        new Set([data?.['blockNumber']]),
      )
    },
  )
})

it('ladders of our pools send no request to the node within a block, and one more for the state of a new block', async () => {
  const chain = stack.localnet.chains[84532]
  const { tAUD, tEUR, tUSD } = chain.tokens
  const ladders = async () => {
    await call('convert.ladder', { tokenIn: tAUD, tokenOut: tUSD, steps: 100 })
    await call('convert.ladder', { tokenIn: tAUD, tokenOut: tEUR, amounts: ['1', '900000000'] })
  }
  const proxy = stack.proxies[84532]
  await ladders()
  // After a machine stood still, the service reads the state of the same block once more.
  await vi.waitFor(async () => expect(await recordRequests(proxy, ladders)).toEqual([]), eventually)
  let answer = 108_450_000n
  const laddersOfNewBlock = async () => {
    await setPrice(chain, 'tEUR', (answer += 1n))
    await waitForBlock(stack.url, chain)
    await ladders()
  }
  await vi.waitFor(async () => expect(await recordRequests(proxy, laddersOfNewBlock)).toEqual(['eth_call']), eventually)
})

const faults = [
  { name: 'stale-price', code: 'svc/stale-price', of: 'symbol' },
  { name: 'price-jump', code: 'svc/stale-price', of: 'symbol' },
  { name: 'pool-frozen', code: 'svc/pool-frozen', of: 'pool' },
] as const

describe.each(faults)('a refusal of every amount by $name', ({ name, code, of }) => {
  const chainId = 421614

  afterAll(async () => void (await stack.scenarios.reset({ chainId })))

  it.each(['tAUD', 'tEUR'] as const)(
    'ladders, previews, quotes and builds of any amount have the same error, wherever %s is in the route',
    async (symbol) => {
      const { tokens } = stack.localnet.chains[chainId]
      await stack.scenarios.reset({ chainId })
      await stack.scenarios.run(name, { chainId, [of]: of === 'pool' ? `${symbol}/tUSD` : symbol })
      for (const [from, to] of [
        ['tAUD', 'tEUR'],
        ['tEUR', 'tAUD'],
      ] as const) {
        const pair = { chainId, tokenIn: tokens[from], tokenOut: tokens[to] }
        await expectRefused('convert.ladder', { ...pair, steps: 5 })
        for (const amountIn of ['0.000001', '1', '5000000', '9'.repeat(60)]) {
          await expectRefused('convert.preview', { ...pair, amountIn })
          await expectRefused('convert.ladder', { ...pair, amounts: [amountIn] })
          await expectRefused('convert.quote', { ...pair, amountIn })
          await expectRefused('convert.quote', { ...pair, amountOut: amountIn })
          await expectRefused('transaction.buildConvert', { ...pair, userAddress, amountIn, minAmountOut: '0.000001' })
        }
      }
    },
  )

  async function expectRefused(operation: string, input: Readonly<Record<string, unknown>>): Promise<void> {
    const { status, failure } = await call(operation, input)
    expect({ operation, input, status, failure }).toMatchObject({ status: 422, failure: { code, retryable: true } })
  }
})

it('the first pool of a route names the error if both refuse every amount', async () => {
  const chainId = 421614
  const { tAUD, tEUR } = stack.localnet.chains[chainId].tokens
  onTestFinished(async () => void (await stack.scenarios.reset({ chainId })))
  await stack.scenarios.run('stale-price', { chainId, symbol: 'tAUD' })
  await stack.scenarios.run('pool-frozen', { chainId, pool: 'tEUR/tUSD' })
  for (const amount of ['1', '5000000']) {
    const pair = { chainId, tokenIn: tAUD, tokenOut: tEUR }
    const outcomes = [
      await call('convert.preview', { ...pair, amountIn: amount }),
      await call('convert.ladder', { ...pair, amounts: [amount] }),
      await call('convert.quote', { ...pair, amountOut: amount }),
    ]
    expect(outcomes.map(({ failure }) => failure?.code)).toEqual(Array(3).fill('svc/stale-price'))
  }
})
