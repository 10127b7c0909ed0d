import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { foreignPrices } from '../harness/deployForeignPools.ts'
import { recordRequests } from '../harness/recordRequests.ts'
import { readForeignView, toRequest, type Conversion } from './conversions.ts'
import { startForeignStack, type ForeignStack } from '../harness/startForeignStack.ts'

const transports = ['REST', 'tRPC'] as const

let stack: ForeignStack

beforeAll(async () => {
  stack = await startForeignStack()
})

afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
})

describe.each(transports)('previews over foreign pools (%s)', (transport) => {
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
  ])('a preview over foreign pools equals their views at its block: $amountIn $from to $to', async (conversion) => {
    const { status, data } = await stack.callers[transport]('convert.preview', toRequest(stack, conversion))
    expect(status).toBe(200)
    const view = await readForeignView(stack, conversion, BigInt(Number(data?.['blockNumber'])))
    expect(data).toMatchObject({ amountIn: conversion.amountIn, amountOut: view })
  })

  it('a preview through a foreign pool that the request names equals its view', async () => {
    const conversion = { from: 'fEUR', to: 'fUSD', amountIn: '1000' } as const
    const request = { ...toRequest(stack, conversion), poolAddress: stack.market.pools['fEUR/fUSD'] }
    const { data } = await stack.callers[transport]('convert.preview', request)
    expect(data).toMatchObject({ amountOut: await readForeignView(stack, conversion, newest(data)), fee: '0.05%' })
  })
})

it('beyond the flat zone the price of a foreign pool is below the oracle price by the penalty', async () => {
  const rateOf = async (amountIn: string) => {
    const { data } = await stack.callers.REST(
      'convert.preview',
      toRequest(stack, { from: 'fEUR', to: 'fUSD', amountIn }),
    )
    return Number(data?.['exchangeRate'])
  }
  const oracleRate = (Number(foreignPrices.fEUR) / Number(foreignPrices.fUSD)) * (1 - 0.0005)
  expect(await rateOf('300000')).toBeCloseTo(oracleRate, 6)
  expect(await rateOf('400000')).toBeLessThan(oracleRate * 0.99)
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

function newest(data: Readonly<Record<string, unknown>> | undefined): bigint {
  return BigInt(Number(data?.['blockNumber']))
}
