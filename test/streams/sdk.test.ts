import { randomBytes } from 'node:crypto'
import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createAgio, type Agio, type AgioError, type TrackedTransaction } from '../../packages/sdk/src/index.ts'
import { adminKey, apiKey } from '../harness/settingsFor.ts'
import { eventually } from '../harness/timeLimits.ts'
import { startTcpProxy, type TcpProxy } from '../harness/startTcpProxy.ts'
import { setUpStreams } from './setUpStreams.ts'

const streaming = setUpStreams()
let proxy: TcpProxy
let agio: Agio

beforeAll(async () => {
  proxy = await startTcpProxy(streaming.stack.url)
  agio = createAgio({ url: proxy.url, apiKey })
})
afterEach(() => proxy.restore())
afterAll(() => proxy?.cut())

const requestOf = (amountIn: string) => {
  const { tAUD: tokenIn, tUSD: tokenOut } = streaming.localnet.chains[84532].tokens as Record<string, Hex>
  return { chainId: 84532, tokenIn: tokenIn as Hex, tokenOut: tokenOut as Hex, amountIn } as const
}

describe('watchQuote', () => {
  it('a consumer gets the quote now, and another one after a change of the price, which can be converted at', async () => {
    const amounts: string[] = []
    for await (const quote of agio.watchQuote(requestOf('100'))) {
      amounts.push(quote.amountOut)
      expect(quote).toMatchObject({ chainId: 84532, request: { amountIn: '100' } })
      expect((await agio.refresh(quote)).amountIn).toBe(quote.amountIn)
      if (amounts.length === 2) break
      await streaming.stack.scenarios.run('price-move', { symbol: 'tAUD', percent: 2 })
    }
    expect(Number(amounts[1])).toBeGreaterThan(Number(amounts[0]))
  })

  it('a slow consumer gets the newest quote, not those in between', async () => {
    const amounts: string[] = []
    let witnessed: string | undefined
    const stopped = new AbortController()
    const witness = async () => {
      for await (const quote of agio.watchQuote(requestOf('200'), { signal: stopped.signal }))
        witnessed = quote.amountOut
    }
    for await (const quote of agio.watchQuote(requestOf('200'))) {
      amounts.push(quote.amountOut)
      if (amounts.length === 2) break
      void witness().catch(() => {})
      for (let count = 0; count < 3; count += 1) {
        await streaming.stack.scenarios.run('price-move', { symbol: 'tAUD', percent: 1 })
        const { amountOut } = await agio.quote(requestOf('200'))
        await expect.poll(() => witnessed, eventually).toBe(amountOut)
      }
    }
    stopped.abort()
    expect(amounts[1]).toBe((await agio.quote(requestOf('200'))).amountOut)
  })

  it('a stale price is told to onError, and the iteration goes on once there is a new one', async () => {
    const errors: AgioError[] = []
    let count = 0
    for await (const _ of agio.watchQuote(requestOf('300'), { onError: (error) => errors.push(error) })) {
      count += 1
      if (count === 2) break
      await streaming.stack.scenarios.run('stale-price')
      await expect.poll(() => errors.map(({ code }) => code)).toEqual(['svc/stale-price'])
      await streaming.stack.scenarios.reset()
    }
    expect(count).toBe(2)
  })

  it('error: an error that does not pass by itself is thrown, and other watches go on', async () => {
    const prices = agio.watchPrices({ chainId: 84532 })[Symbol.asyncIterator]()
    await prices.next()
    const unknown = { ...requestOf('1'), tokenIn: '0x00000000000000000000000000000000000000A1' } as const
    await expect(first(agio.watchQuote(unknown))).rejects.toMatchObject({ code: 'svc/unsupported-token' })
    const malformed = { ...requestOf('1'), amountIn: 'ten' }
    await expect(first(agio.watchQuote(malformed))).rejects.toMatchObject({ code: 'svc/invalid-request' })
    await streaming.stack.scenarios.run('price-move', { symbol: 'tAUD', percent: 1 })
    expect((await prices.next()).value).toHaveProperty('prices')
    await prices.return?.()
  })

  it('error: an unknown key is thrown as svc/unauthorized, and an abort as its reason', async () => {
    const stranger = createAgio({ url: streaming.stack.url, apiKey: `agio_${randomBytes(32).toString('base64url')}` })
    await expect(first(stranger.watchPrices({ chainId: 84532 }))).rejects.toMatchObject({ code: 'svc/unauthorized' })
    const controller = new AbortController()
    const watching = first(
      agio.watchTransaction({ chainId: 84532, transactionHash: `0x${'ab'.repeat(32)}` }, controller),
    )
    controller.abort(new Error('Enough'))
    await expect(watching).rejects.toThrow('Enough')
  })

  it('twenty-five watches share two connections, and close them when they end', async () => {
    const watches = Array.from({ length: 25 }, (_, index) =>
      agio.watchQuote(requestOf(String(index + 1)))[Symbol.asyncIterator](),
    )
    const quotes = await Promise.all(watches.map((watch) => watch.next()))
    expect(quotes.map(({ value }) => value?.request.amountIn)).toEqual(watches.map((_, index) => String(index + 1)))
    // The streams of earlier tests end once the service notices it.
    await expect.poll(countStreams).toBe(2)
    for (const watch of watches) await watch.return?.()
    await expect.poll(countStreams).toBe(0)
  })
})

describe('watchTransaction', () => {
  it('a transaction is told to its end, over a connection that is cut in between', async () => {
    await streaming.stack.scenarios.run('no-mining')
    const { hash: transactionHash } = await streaming.send()
    const seen: TrackedTransaction[] = []
    const codes: string[] = []
    const onError = ({ code }: AgioError) => codes.push(code)
    for await (const tracked of agio.watchTransaction({ chainId: 84532, transactionHash }, { onError })) {
      seen.push(tracked)
      if (seen.length > 1) continue
      await proxy.cut()
      await streaming.stack.scenarios.run('mine')
      for (let count = 0; count < 5; count += 1) await streaming.owner.client.mine({ blocks: 1 })
      await proxy.restore()
    }
    expect(seen.map(({ status }) => status)).toEqual(['pending', 'included', 'safe', 'finalized'])
    expect(codes).toContain('network/unreachable')
  })

  it('a transaction that moved to a block that is final by now is told as reorged and then to its end', async () => {
    await streaming.stack.scenarios.run('no-mining')
    const { hash: transactionHash } = await streaming.send()
    await streaming.stack.scenarios.run('mine')
    const { cursor } = await first(agio.watchTransaction({ chainId: 84532, transactionHash }))
    await streaming.stack.scenarios.run('reorg', { transactionHash, outcome: 'moved' })
    for (let count = 0; count < 5; count += 1) await streaming.owner.client.mine({ blocks: 1 })
    const statuses: string[] = []
    for await (const { status } of agio.watchTransaction({ chainId: 84532, transactionHash, cursor })) {
      statuses.push(status)
    }
    expect(statuses).toEqual(['reorged', 'included', 'safe', 'finalized'])
  })
})

async function first<Value>(values: AsyncIterable<Value>): Promise<Value> {
  for await (const value of values) return value
  throw new Error('It has ended without a value')
}

async function countStreams(): Promise<number> {
  const response = await fetch(`${streaming.stack.url}/metrics`, { headers: { 'x-admin-key': adminKey } })
  return Number(/^agio_streams (\d+)$/m.exec(await response.text())?.[1])
}
