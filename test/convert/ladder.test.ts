import { Network } from '@agio/core'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Caller } from '../harness/Caller.ts'
import { toDecimal } from '../harness/toPreview.ts'
import { setPrice } from '../harness/movePrice.ts'
import { randomSeed } from '../harness/randomSeed.ts'
import { recordRequests } from '../harness/recordRequests.ts'
import { startProxiedStack, type ProxiedStack } from '../harness/startProxiedStack.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'

const seed = randomSeed('ladders')

const symbols = ['tAUD', 'tUSD', 'tEUR'] as const
const pairs = symbols.flatMap((from) => symbols.filter((to) => to !== from).map((to) => ({ from, to })))

let stack: ProxiedStack
let call: Caller

beforeAll(async () => {
  stack = await startProxiedStack()
  call = stack.callers.REST
})

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
})

describe.each(Network.chainIds)('ladders on chain %i', (chainId) => {
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
  await ladders()
  expect(await recordRequests(stack.proxies[84532], ladders)).toEqual([])
  const requests = await recordRequests(stack.proxies[84532], async () => {
    await setPrice(chain, 'tEUR', 108_450_000n)
    await waitForBlock(stack.url, chain)
    await ladders()
  })
  expect(requests).toEqual(['eth_call'])
})

it('error: the whole ladder is svc/stale-price where each preview is', async () => {
  const chain = stack.localnet.chains[421614]
  onTestFinished(async () => {
    await setPrice(chain, 'tEUR', 108_450_000n)
    await waitForBlock(stack.url, chain)
  })
  await setPrice(chain, 'tEUR', 0n)
  await waitForBlock(stack.url, chain)
  const { tAUD, tEUR } = chain.tokens
  const pair = { chainId: 421614, tokenIn: tAUD, tokenOut: tEUR }
  for (const sizes of [{ steps: 5 }, { amounts: ['0.000001', '1', '900000000'] }]) {
    const outcome = await call('convert.ladder', { ...pair, ...sizes })
    expect(outcome).toMatchObject({ status: 422, failure: { code: 'svc/stale-price', oracle: chain.oracles.tEUR } })
  }
})
