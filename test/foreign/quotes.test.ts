import { request } from 'undici'
import { parseUnits } from 'viem'
import { describe, expect, it, onTestFinished } from 'vitest'
import { errorOf } from '../harness/answers.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { foreignDecimals } from '../harness/deployForeignPools.ts'
import { holdRequests } from '../harness/holdRequests.ts'
import { recordRequests } from '../harness/recordRequests.ts'
import { startForeignStack } from '../harness/startForeignStack.ts'
import { headPoll, isHeadPoll } from '../harness/startProxy.ts'
import { eventually } from '../harness/timeLimits.ts'
import { toPreview } from '../harness/toPreview.ts'
import { partOf } from '../harness/partOf.ts'
import { setUp } from '../harness/setUp.ts'
import { setForeignPrice } from './changeMarket.ts'
import { readForeignView, toRequest, type Conversion } from './conversions.ts'

const transports = ['REST', 'tRPC'] as const

const stack = setUp(startForeignStack)

describe.each(partOf(transports))('previews over foreign pools (%s)', (transport) => {
  it.each<Conversion>([
    { from: 'fEUR', to: 'fUSD', amountIn: '1000' },
    { from: 'fUSD', to: 'fEUR', amountIn: '1234.567891' },
    { from: 'fAUD', to: 'fUSD', amountIn: '0.123456789012345678' },
    { from: 'fUSD', to: 'fAUD', amountIn: '99.99' },
    { from: 'fSGD', to: 'fUSD', amountIn: '31415.926535' },
    { from: 'fUSD', to: 'fSGD', amountIn: '7' },
    { from: 'fEUR', to: 'fAUD', amountIn: '271.82' },
    { from: 'fAUD', to: 'fEUR', amountIn: '5000.5' },
    { from: 'fSGD', to: 'fEUR', amountIn: '12.345678' },
    { from: 'fEUR', to: 'fUSD', amountIn: '400000' },
    { from: 'fUSD', to: 'fAUD', amountIn: '120000' },
    { from: 'fEUR', to: 'fAUD', amountIn: '100000' },
  ])(
    'a preview over foreign pools equals their views at its block, also as rates: $amountIn $from to $to',
    async (conversion) => {
      const { status, data } = await stack.callers[transport]('convert.preview', toRequest(stack, conversion))
      expect(status).toBe(200)
      const view = await readForeignView(stack, conversion, BigInt(Number(data?.['blockNumber'])))
      const [inDecimals, outDecimals] = [foreignDecimals[conversion.from], foreignDecimals[conversion.to]]
      const [inRaw, outRaw] = [parseUnits(conversion.amountIn, inDecimals), parseUnits(view, outDecimals)]
      const { exchangeRate, inverseRate } = toPreview({ inRaw, inDecimals, outRaw, outDecimals })
      expect(data).toMatchObject({ amountIn: conversion.amountIn, amountOut: view, exchangeRate, inverseRate })
    },
  )

  it('a preview through a foreign pool that the request names equals its view', async () => {
    const conversion = { from: 'fEUR', to: 'fUSD', amountIn: '1000' } as const
    const request = { ...toRequest(stack, conversion), poolAddress: stack.market.pools['fEUR/fUSD'] }
    const { data } = await stack.callers[transport]('convert.preview', request)
    const view = await readForeignView(stack, conversion, BigInt(Number(data?.['blockNumber'])))
    expect(data).toMatchObject({ amountOut: view, fee: '0.05%' })
  })
})

it('a preview costs one request over one foreign pool or two, and a new block one more for the state of all pools', async () => {
  const preview = (to: 'fUSD' | 'fAUD') => () =>
    stack.callers.REST('convert.preview', toRequest(stack, { from: 'fEUR', to, amountIn: '100' }))
  await preview('fUSD')()
  expect(await recordRequests(stack.proxy, preview('fUSD'))).toEqual(['eth_call'])
  expect(await recordRequests(stack.proxy, preview('fAUD'))).toEqual(['eth_call'])
  for (let block = 0; block < 2; block += 1) {
    const requests = await recordRequests(stack.proxy, async () => {
      await stack.owner.client.mine({ blocks: 1 })
      await stack.seen()
      await preview('fUSD')()
    })
    expect(requests).toEqual(['eth_call', 'eth_call'])
  }
})

it.each([
  ['convert.preview', { from: 'fEUR', to: 'fAUD', amountIn: '100' }, {}],
  ['convert.ladder', { from: 'fEUR', to: 'fAUD', amountIn: undefined }, { steps: 100 }],
  ['convert.quote', { from: 'fAUD', to: 'fEUR', amountIn: undefined }, { amountOut: '100000' }],
] as const)('%s over pools that are priced on chain is charged for each request to the nodes', async (...example) => {
  const [operation, { amountIn, ...pair }, fields] = example
  const input = { ...toRequest(stack, { ...pair, amountIn: amountIn ?? '1' }), amountIn, ...fields }
  // The first call reads what all later calls share.
  await stack.callers.REST(operation, input)
  // A read that all calls share may fall into a call, and only adds to what is sent.
  const countUncharged = async () => {
    const { sent, charged } = await measure(operation, input)
    expect(sent).toBeGreaterThan(0)
    return sent - charged
  }
  await expect.poll(countUncharged, eventually).toBeLessThanOrEqual(0)
})

it.each([
  { from: 'fEUR', to: 'fUSD', amountIn: '100' },
  { from: 'fEUR', to: 'fAUD', amountIn: '100' },
] as const)(
  'a preview and an exact output whose block a reorganisation removed are retried at the newest block: $from to $to',
  async (conversion) => {
    const preview = () => stack.callers.REST('convert.preview', toRequest(stack, conversion))
    const quoteOut = async () => {
      const { amountIn, ...pair } = toRequest(stack, conversion)
      return await stack.callers.REST('convert.quote', { ...pair, amountOut: amountIn })
    }
    const id = await stack.owner.client.snapshot()
    await setForeignPrice(stack, 'fEUR', 111_000_000n)
    await stack.seen()
    const before = await preview()
    expect(before).toMatchObject({ status: 200 })

    onTestFinished(() => stack.proxy.reset())
    const polls = holdRequests(stack.proxy)(isHeadPoll)
    await stack.owner.client.revert({ id })
    await setForeignPrice(stack, 'fEUR', 105_000_000n)
    const { number } = await stack.owner.client.getBlock()
    const made = Promise.all([preview(), quoteOut()])
    polls.pass()
    const [{ status, data }, quoted] = await made
    expect(status).toBe(200)
    expect(data).toMatchObject({
      blockNumber: Number(number),
      amountOut: await readForeignView(stack, conversion, number),
    })
    expect(quoted).toMatchObject({ status: 200, data: { amountIn: (await quoteOut()).data?.['amountIn'] } })
    expect(Number(data?.['amountOut'])).toBeLessThan(Number(before.data?.['amountOut']))
  },
)

it('error: svc/upstream-error if the node does not know the newest block', async () => {
  const conversion = { from: 'fEUR', to: 'fUSD', amountIn: '100' } as const
  const preview = () => stack.callers.REST('convert.preview', toRequest(stack, conversion))
  expect(await preview()).toMatchObject({ status: 200 })
  onTestFinished(() => stack.proxy.reset())
  stack.proxy.setAnswer(errorOf('eth_call', { code: -32000, message: 'header for hash not found' }))
  expect(await preview()).toMatchObject({ status: 502, failure: { code: 'svc/upstream-error' } })
})

/** Counts the requests to the node during a call, and the node requests that its new key is charged. */
async function measure(operation: string, input: Readonly<Record<string, unknown>>) {
  const { key } = await createAdminClient(stack.url).issue()
  const before = stack.proxy.requests.length
  const call = createRestCaller({ url: stack.url, apiKey: key })
  expect(await call(operation, input)).toMatchObject({ status: 200 })
  const calls = stack.proxy.requests.slice(before).flatMap((request) => request.calls)
  // A poll for the newest block may be in one request with a call.
  return { sent: calls.filter(({ method }) => method !== headPoll).length, charged: await readCharged(key) }
}

async function readCharged(key: string): Promise<number> {
  const { body } = await request(`${stack.url}/api/v1/usage`, { headers: { 'x-api-key': key } })
  const { data } = (await body.json()) as { data: { nodeRequests: { used: number } } }
  return data.nodeRequests.used
}
