import { createTRPCClient, httpSubscriptionLink } from '@trpc/client'
import { EventSource } from 'eventsource'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { AppRouter, WatchData } from '../../packages/sdk/src/trpc.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { apiKey } from '../harness/settingsFor.ts'
import { eventually } from '../harness/timeLimits.ts'
import { waitForBlock } from '../harness/waitForBlock.ts'
import { countRuns } from '../harness/randomSeed.ts'
import { openStream } from './openStream.ts'
import { setUpStreams, receiver } from './setUpStreams.ts'

const streaming = setUpStreams()
const { open } = streaming

describe('the topics of states', () => {
  it('each topic sends its current state at once, as its operation returns it', async () => {
    const { tokens, pools } = streaming.localnet.chains[84532]
    const pair = { tokenIn: tokens['tAUD'], tokenOut: tokens['tUSD'] }
    const poolAddress = Object.values(pools)[0]
    await using stream = await open([
      { topic: 'quote', chainId: 84532, ...pair, amountIn: '100' },
      { topic: 'prices', chainId: 84532 },
      { topic: 'pool', chainId: 84532, poolAddress },
      { topic: 'health' },
    ])
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream')
    expect(stream.response.headers.get('cache-control')).toBe('no-store')
    expect(stream.response.headers.get('x-accel-buffering')).toBe('no')
    const call = streaming.stack.callers.REST
    const { data: quote } = await call('convert.quote', { ...pair, amountIn: '100' })
    const told = await stream.waitForTopic('quote')
    expect(told.data).toMatchObject({ index: 0, amountOut: quote?.['amountOut'], quote: expect.any(String) })
    expect((await stream.waitForTopic('prices')).data).toEqual({
      index: 1,
      ...(await call('oracle.prices', { chainId: 84532 })).data,
    })
    const pool = (await call('pools.get', { poolAddress, chainId: 84532 })).data
    expect((await stream.waitForTopic('pool')).data).toEqual({ index: 2, ...pool })
    await stream.waitFor(({ topic, data }) => topic === 'health' && data['index'] === 3 && data['status'] === 'ok')
    expect(stream.getRetryMs()).toBeGreaterThan(0)
  })

  it('a change of the price comes as new events of quote, prices and pool, and an unchanged block as none', async () => {
    const { tokens, pools } = streaming.localnet.chains[84532]
    const quote = { topic: 'quote', tokenIn: tokens['tAUD'], tokenOut: tokens['tUSD'], amountIn: '100' }
    const topics = [quote, { ...quote, amountIn: undefined, amountOut: '50' }, { topic: 'prices' }]
    await using stream = await open([...topics, { topic: 'pool', poolAddress: Object.values(pools)[0] }])
    for (const index of [0, 1, 2, 3]) await stream.waitFor(({ data }) => data['index'] === index)
    const { length } = stream.events
    for (const _ of [1, 2]) {
      await streaming.owner.client.mine({ blocks: 1 })
      await waitForBlock(streaming.stack.url, streaming.localnet.chains[84532])
    }
    await streaming.stack.scenarios.run('price-move', { symbol: 'tAUD', percent: 1 })
    const later = () => stream.events.slice(length)
    await expect.poll(() => new Set(later().map(({ data }) => data['index']))).toEqual(new Set([0, 1, 2, 3]))
    expect(later()).toHaveLength(4)
    const [before, after] = [stream.events, later()].map((of) => of.find(({ topic }) => topic === 'quote')?.data)
    expect(Number(after?.['amountOut'])).toBeGreaterThan(Number(before?.['amountOut']))
  })

  it('a failing topic sends the error once, other topics go on, and it sends its state again once it works', async () => {
    const { tokens } = streaming.localnet.chains[84532]
    const pair = { tokenIn: tokens['tAUD'], tokenOut: tokens['tUSD'] }
    const unknown = { topic: 'quote', tokenIn: receiver, tokenOut: tokens['tUSD'], amountIn: '1' }
    await using stream = await open([unknown, { topic: 'quote', ...pair, amountIn: '100' }])
    const failed = await stream.waitFor(({ data }) => data['index'] === 0)
    expect(failed).toMatchObject({
      topic: 'quote',
      data: {
        error: { success: false, code: 'svc/unsupported-token', error: expect.stringContaining('00A1') },
      },
    })
    await stream.waitFor(({ data }) => data['index'] === 1)
    await streaming.stack.scenarios.run('stale-price')
    const stale = ({ data }: { data: { error?: unknown } }) =>
      JSON.stringify(data.error ?? {}).includes('svc/stale-price')
    await stream.waitFor(stale)
    await streaming.stack.scenarios.reset()
    await expect.poll(() => stream.events.filter(({ data }) => 'amountOut' in data).length).toBe(2)
    expect(stream.events.filter(stale)).toHaveLength(1)
    expect(stream.events.filter(({ data }) => data['index'] === 0)).toHaveLength(1)
  })

  it('a failing node is an event of health, and its recovery another one', async () => {
    await using stream = await open([{ topic: 'health' }])
    await stream.waitForTopic('health')
    await streaming.stack.scenarios.run('rpc-down')
    await stream.waitFor(({ data }) => data['status'] !== 'ok')
    await streaming.stack.scenarios.reset()
    await expect.poll(() => stream.events.at(-1)?.data['status']).toBe('ok')
  })
})

it('of two quotes that share what they read, only the one whose wallet is refused fails', async () => {
  const { tokens, pools } = streaming.localnet.chains[84532]
  const quote = { topic: 'quote', tokenIn: tokens['tAUD'], tokenOut: tokens['tUSD'], amountIn: '123' }
  await using stream = await open([{ ...quote, userAddress: Object.values(pools)[0] }, quote])
  const refused = await stream.waitFor(({ data }) => data['index'] === 0)
  expect(refused.data).toMatchObject({ error: { code: 'svc/invalid-address' } })
  const { data } = await stream.waitFor((event) => event.data['index'] === 1)
  expect(data).toHaveProperty('amountOut')
})

describe('refused streams', () => {
  const topic = { topic: 'health' }

  it.each([
    ['without topics', '', 'topics'],
    ['with topics that are not JSON', '?topics=[', 'topics'],
    ['with topics twice', '?topics=[]&topics=[]', 'topics'],
    ['with no topic', '?topics=[]', 'topics'],
    ['with 21 topics', `?topics=${JSON.stringify(Array.from({ length: 21 }, () => topic))}`, 'topics'],
    ['with an unknown topic', '?topics=[{"topic":"all"}]', 'topics.0.topic'],
    ['with an unknown field', '?topics=[{"topic":"health","more":1}]', 'topics.0.more'],
    ['with a key in its URL', `?topics=[${JSON.stringify(topic)}]&apiKey=x`, 'apiKey'],
  ])('error: a stream %s is svc/invalid-request that names the field', async (_, query, field) => {
    const response = await fetch(`${streaming.stack.url}/api/v1/stream${query}`, { headers: { 'x-api-key': apiKey } })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ success: false, code: 'svc/invalid-request', field })
  })

  it('error: random topics are svc/invalid-request or a code of their addresses and networks, and the service keeps serving', async () => {
    const names = fc.constantFrom('quote', 'prices', 'pool', 'transaction', 'health', 'all')
    const fields = fc.dictionary(
      fc.constantFrom('chainId', 'tokenIn', 'amountIn', 'poolAddress', 'transactionHash', 'cursor', 'more'),
      fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' })),
    )
    const topics = fc.oneof(
      fc.jsonValue(),
      fc.array(fc.record({ topic: names }).chain((topic) => fields.map((more) => ({ ...more, ...topic, more: 1 })))),
    )
    await fc.assert(
      fc.asyncProperty(topics, async (value) => {
        const target = `${streaming.stack.url}/api/v1/stream?topics=${encodeURIComponent(JSON.stringify(value))}`
        const response = await fetch(target, { headers: { 'x-api-key': apiKey } })
        const { code } = (await response.json()) as { code: string }
        expect(code).toMatch(/^svc\/(invalid-request|invalid-address|unsupported-chain|headers-too-large)$/)
      }),
      { numRuns: countRuns(200) },
    )
    expect((await streaming.stack.callers.REST('chains.list', {})).status).toBe(200)
  })

  it('error: a Last-Event-ID of something else is svc/invalid-request', async () => {
    const { response } = await open([topic], 'abc')
    expect(response.status).toBe(400)
  })

  it('HEAD of a stream has its media type', async () => {
    const url = `${streaming.stack.url}/api/v1/stream?topics=[{"topic":"health"}]`
    const head = await fetch(url, { method: 'HEAD', headers: { 'x-api-key': apiKey } })
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  })

  it('error: the eleventh stream of a key is 429, and one that is closed makes room', async () => {
    const { key } = await createAdminClient(streaming.stack.url).issue()
    const streams = await Promise.all(
      Array.from({ length: 10 }, () => openStream(streaming.stack.url, { topics: [topic], apiKey: key })),
    )
    const refused = await openStream(streaming.stack.url, { topics: [topic], apiKey: key })
    expect([refused.response.status, refused.response.headers.get('retry-after')]).toEqual([429, '1'])
    await streams[0]?.close()
    await expect
      .poll(
        async () => {
          const again = await openStream(streaming.stack.url, { topics: [topic], apiKey: key })
          streams.push(again)
          return again.response.status
        },
        { interval: 1100 },
      )
      .toBe(200)
    for (const stream of streams) await stream.close()
  })

  it('a rotation ends the streams of the old secret, and the streams of the new secret go on', async () => {
    const admin = createAdminClient(streaming.stack.url)
    const { key, id } = await admin.issue()
    await using old = await openStream(streaming.stack.url, { topics: [topic], apiKey: key })
    await old.waitForTopic('health')
    const { key: rotated } = await admin.rotate(id, 0)
    await using renewed = await openStream(streaming.stack.url, { topics: [topic], apiKey: rotated })
    expect((await old.waitForTopic('end')).data).toMatchObject({ error: { code: 'svc/key-revoked' } })
    await renewed.waitForTopic('health')
    expect(renewed.isEnded()).toBe(false)
  })

  it('the events of quotes count toward the quota, not toward the rate', async () => {
    const { key } = await createAdminClient(streaming.stack.url).issue()
    const { tokens } = streaming.localnet.chains[84532]
    const quote = { topic: 'quote', tokenIn: tokens['tAUD'], tokenOut: tokens['tUSD'] }
    const amounts = Array.from({ length: 20 }, (_, index) => ({ ...quote, amountIn: String(index + 1) }))
    await using stream = await openStream(streaming.stack.url, { topics: amounts, apiKey: key })
    await expect.poll(() => stream.events.length).toBe(20)
    expect(stream.events.every(({ data }) => 'quote' in data)).toBe(true)
    const usage = async () => {
      const response = await fetch(`${streaming.stack.url}/api/v1/usage`, { headers: { 'x-api-key': key } })
      return ((await response.json()) as { data: { callsByOperation: Record<string, number> } }).data.callsByOperation
    }
    await expect.poll(usage, { interval: 400 }).toMatchObject({ 'stream.watch': 1, 'stream.quote': 20 })
  })
})

type Topics = Parameters<ReturnType<typeof connect>['stream']['watch']['subscribe']>[0]['topics']

function connect(key: string) {
  const fetchWithKey: typeof fetch = async (url, init) => {
    return await fetch(url, { ...init, headers: { ...(init?.headers as Record<string, string>), 'x-api-key': key } })
  }
  const link = httpSubscriptionLink({
    url: `${streaming.stack.url}/trpc`,
    EventSource,
    eventSourceOptions: { fetch: fetchWithKey },
  })
  return createTRPCClient<AppRouter>({ links: [link] })
}

function subscribe(topics: Topics, key = apiKey) {
  const events: { readonly id: string; readonly data: WatchData }[] = []
  const errors: { readonly code: unknown; readonly status: unknown }[] = []
  const { unsubscribe } = connect(key).stream.watch.subscribe(
    { topics },
    {
      onData: (event) => events.push(event),
      onError: ({ data }) => errors.push({ code: data?.code, status: data?.httpStatus }),
    },
  )
  return { events, errors, [Symbol.dispose]: unsubscribe }
}

describe('a subscription over tRPC', () => {
  it('a typed client gets the events of all topics, with their ids and their topics', async () => {
    const { tokens } = streaming.localnet.chains[84532]
    const [tokenIn, tokenOut] = [tokens['tAUD'], tokens['tUSD']] as const
    using watched = subscribe([
      { topic: 'quote', tokenIn: tokenIn ?? '0x', tokenOut: tokenOut ?? '0x', amountIn: '100' },
      { topic: 'prices' },
    ])
    await vi.waitUntil(() => watched.events.length >= 2, eventually)
    const quote = watched.events.map(({ data }) => data).find(({ topic }) => topic === 'quote')
    const { data } = await streaming.stack.callers.tRPC('convert.quote', { tokenIn, tokenOut, amountIn: '100' })
    expect(quote).toMatchObject({ topic: 'quote', index: 0, amountOut: data?.['amountOut'] })
    expect(watched.events.every(({ id }) => id.startsWith('1.'))).toBe(true)
    expect(watched.errors).toEqual([])
  })

  it('error: no key, an unknown field and too many topics end it with the code of the service', async () => {
    using withoutKey = subscribe([{ topic: 'health' }], 'agio_none')
    using withoutTopics = subscribe([])
    using tooMany = subscribe(Array.from({ length: 21 }, () => ({ topic: 'health' }) as const))
    const refused = { code: 'svc/invalid-request', status: 400 }
    await expect.poll(() => withoutTopics.errors).toEqual([refused])
    await expect.poll(() => tooMany.errors).toEqual([refused])
    // An EventSource reports only that the response has the wrong type.
    await expect.poll(() => withoutKey.errors.length).toBe(1)
  })
})
