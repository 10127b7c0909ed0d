import { randomBytes } from 'node:crypto'
import { keccak256, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createAgio, type Agio, type AgioError, type TrackedTransaction } from '../../packages/sdk/src/index.ts'
import { createWallet, type Unsigned } from '../harness/createWallet.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { connectOwner, type Owner } from '../harness/connectOwner.ts'
import { adminKey, apiKey } from '../harness/settingsFor.ts'
import { eventually } from '../harness/timeLimits.ts'
import { startTcpProxy, type TcpProxy } from '../harness/startTcpProxy.ts'
import type { Localnet } from '@agio/localnet'

let localnet: Localnet
let stack: AgioStack
let owner: Owner
let proxy: TcpProxy
let agio: Agio

beforeAll(async () => {
  stack = await startAgio({ finalityBlocks: 2, ownDatabase: true })
  localnet = stack.localnet
  owner = connectOwner(localnet.chains[84532])
  proxy = await startTcpProxy(stack.url)
  agio = createAgio({ url: proxy.url, apiKey })
})
afterEach(async () => {
  await proxy.restore()
  await stack.scenarios.reset()
})
afterAll(async () => {
  await proxy?.cut()
  await stack?.[Symbol.asyncDispose]()
})

const requestOf = (amountIn: string) => {
  const { tAUD: tokenIn, tUSD: tokenOut } = localnet.chains[84532].tokens as Record<string, Hex>
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
      await stack.scenarios.run('price-move', { symbol: 'tAUD', percent: 2 })
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
        await stack.scenarios.run('price-move', { symbol: 'tAUD', percent: 1 })
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
      await stack.scenarios.run('stale-price')
      await expect.poll(() => errors.map(({ code }) => code)).toEqual(['svc/stale-price'])
      await stack.scenarios.reset()
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
    await stack.scenarios.run('price-move', { symbol: 'tAUD', percent: 1 })
    expect((await prices.next()).value).toHaveProperty('prices')
    await prices.return?.()
  })

  it('error: an unknown key is thrown as svc/unauthorized, and an abort as its reason', async () => {
    const stranger = createAgio({ url: stack.url, apiKey: `agio_${randomBytes(32).toString('base64url')}` })
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
    await stack.scenarios.run('no-mining')
    const transactionHash = await send()
    const seen: TrackedTransaction[] = []
    const codes: string[] = []
    const onError = ({ code }: AgioError) => codes.push(code)
    for await (const tracked of agio.watchTransaction({ chainId: 84532, transactionHash }, { onError })) {
      seen.push(tracked)
      if (seen.length > 1) continue
      await proxy.cut()
      await stack.scenarios.run('mine')
      for (let count = 0; count < 5; count += 1) await owner.client.mine({ blocks: 1 })
      await proxy.restore()
    }
    expect(seen.map(({ status }) => status)).toEqual(['pending', 'included', 'safe', 'finalized'])
    expect(codes).toContain('network/unreachable')
  })

  it('a transaction that moved to a block that is final by now is told as reorged and then to its end', async () => {
    await stack.scenarios.run('no-mining')
    const transactionHash = await send()
    await stack.scenarios.run('mine')
    const { cursor } = await first(agio.watchTransaction({ chainId: 84532, transactionHash }))
    await stack.scenarios.run('reorg', { transactionHash, outcome: 'moved' })
    for (let count = 0; count < 5; count += 1) await owner.client.mine({ blocks: 1 })
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
  const response = await fetch(`${stack.url}/metrics`, { headers: { 'x-admin-key': adminKey } })
  return Number(/^agio_streams (\d+)$/m.exec(await response.text())?.[1])
}

async function send(): Promise<Hex> {
  const wallet = await createWallet(localnet.chains[84532])
  const receiver = '0x00000000000000000000000000000000000000a1'
  const transfer: Unsigned = { to: receiver, data: '0x', value: '1', chainId: 84532, gasLimit: '21000' }
  const signed = await wallet.sign(async () => ({ status: 200, data: { nonce: 0 } }), transfer)
  await owner.client.sendRawTransaction({ serializedTransaction: signed })
  return keccak256(signed)
}
