import { request } from 'undici'
import { expect, it } from 'vitest'
import type { Caller } from '../harness/Caller.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createDatabase } from '../harness/createDatabase.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { executeQuote } from '../harness/executeQuote.ts'
import { describeWith, redisUrl } from '../harness/findServices.ts'
import { adminKey, apiKey } from '../harness/settingsFor.ts'
import { startAgio } from '../harness/startAgio.ts'
import { setUp } from '../harness/setUp.ts'
import { eventually } from '../harness/timeLimits.ts'
import { openStream } from '../streams/openStream.ts'
import { startReceiver } from '../webhooks/startReceiver.ts'
import { startCollector, type Collector } from './startCollector.ts'

const roomy = { requests: 100_000, windowSeconds: 3600, burstPerSecond: 100_000, monthlyQuota: 1_000_000 }

const clientTrace = 'c'.repeat(32)
const traceparent = `00-${clientTrace}-${'d'.repeat(16)}-01`

const sendPools = (url: string, headers?: Readonly<Record<string, string>>) => sendGet(`${url}/api/v1/pools`, headers)

async function sendGet(url: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await request(url, { headers: { 'x-api-key': apiKey, ...headers } })
  return { status: response.statusCode, body: (await response.body.json()) as Readonly<Record<string, unknown>> }
}

// Every call of this stack is traced.
const tracing = setUp(startCollector)
const traced = setUp(() => startAgio({ webhookTargets: 'local', traceEndpoint: tracing.url, traceShare: 1 }))

const describe = await describeWith(['PostgreSQL', 'Redis'], 'the spans of PostgreSQL and Redis')

describe('the trace of a conversion', () => {
  it('a conversion has spans of its edge, admission, procedure, snapshot, nodes, database, Redis and webhook, linked to the trace of the client', async () => {
    await using collector = await startCollector()
    await using database = await createDatabase()
    await using receiver = await startReceiver()
    await using agio = await startAgio({
      localnet: traced.localnet,
      databaseUrl: database.url,
      redisUrl,
      webhookTargets: 'local',
      traceEndpoint: collector.url,
      traceHeaders: ['api-key=a%20key'],
      traceShare: 1,
      serviceName: 'shop',
    })
    const { id: keyId, key } = await createAdminClient(agio.url).issue(roomy)
    const call = createRestCaller({ url: agio.url, apiKey: key, headers: { traceparent } })
    await call('webhooks.create', { url: receiver.url })
    const { tAUD, tUSD } = agio.localnet.chains[84532].tokens
    const tokens = { tokenIn: tAUD, tokenOut: tUSD }
    expect(await call('convert.preview', { chainId: 84532, amountIn: '100', ...tokens })).toMatchObject({ status: 200 })
    const { sent } = await executeQuote(call, agio.localnet.chains[84532], {
      chainId: 84532,
      amountIn: '100',
      ...tokens,
    })
    const hash = sent['transactionHash']
    await call('transaction.track', { chainId: 84532, transactionHash: hash })

    const find = (operation: string) =>
      collector.spans.find(({ name, links }) => name === operation && links.includes(clientTrace))
    const namesOf = (operation: string) => {
      const root = find(operation)
      return new Set(collector.spans.filter(({ traceId }) => traceId === root?.traceId).map(({ name }) => name))
    }
    const steps = [
      'convert.preview',
      'convert.quote',
      'transaction.buildConvert',
      'transaction.broadcastConvert',
      'transaction.track',
    ]
    await expect.poll(() => steps.filter((step) => !find(step)), eventually).toEqual([])
    for (const step of steps) {
      expect(find(step)).toMatchObject({ attributes: { 'agio.key_id': keyId, 'http.response.status_code': 200 } })
      expect(find(step)).not.toHaveProperty('parentSpanId')
      expect([...namesOf(step)]).toEqual(expect.arrayContaining(['admission', 'procedure']))
    }
    // While Redis responds late, this replica counts alone: such a request has no span of Redis.
    const tracesOf = (name: string) => collector.spans.flatMap((span) => (span.name === name ? span.traceId : []))
    const previewUntilRedis = async () => {
      await call('convert.preview', { chainId: 84532, amountIn: '100', ...tokens })
      return tracesOf('redis admit').some((id) => tracesOf('convert.preview').includes(id))
    }
    await expect.poll(previewUntilRedis, eventually).toBe(true)
    expect(namesOf('convert.preview')).toContain('snapshot')
    expect(namesOf('transaction.buildConvert')).toContain('node eth_call')
    expect(namesOf('transaction.broadcastConvert')).toContain('node eth_sendRawTransaction')
    expect([...namesOf('transaction.broadcastConvert')].filter((name) => name.startsWith('database'))).not.toEqual([])
    expect([...namesOf('transaction.track')].filter((name) => name.startsWith('node'))).not.toEqual([])
    for (const step of ['transaction.broadcastConvert', 'transaction.track'])
      expect(find(step)?.attributes).toMatchObject({ 'agio.transaction_hash': hash })
    const delivery = () => collector.spans.find(({ name }) => name === 'webhook delivery')
    await expect.poll(delivery, eventually).toMatchObject({
      attributes: { 'agio.transaction_hash': hash, 'agio.outcome': 'delivered' },
      resource: { 'service.name': 'shop' },
      links: [find('transaction.broadcastConvert')?.traceId],
    })
    expect(collector.received[0]).toMatchObject({ url: '/v1/traces', headers: { 'api-key': 'a key' } })
    // The parts of a request are within it.
    const ids = new Set(collector.spans.map(({ spanId }) => spanId))
    const parents = collector.spans.flatMap(({ parentSpanId }) => parentSpanId ?? [])
    expect(parents.filter((parent) => !ids.has(parent))).toEqual([])
  })
})

it('a delivery links to the request that caused it: a test event, a replay, or the registration of a transaction', async () => {
  await using receiver = await startReceiver()
  const [sends, registers] = await Promise.all(
    [1, 2].map(async () => {
      const { key } = await createAdminClient(traced.url).issue(roomy)
      return createRestCaller({ url: traced.url, apiKey: key })
    }),
  )
  const { tAUD: tokenIn, tUSD: tokenOut } = traced.localnet.chains[84532].tokens
  const input = { chainId: 84532, amountIn: '100', tokenIn, tokenOut }
  const { sent } = await executeQuote(sends as Caller, traced.localnet.chains[84532], input)
  const { transactionHash } = sent
  const call = registers as Caller
  const { data: webhook } = await call('webhooks.create', { url: receiver.url })
  const { data: tested } = await call('webhooks.test', { id: webhook?.['id'] })
  const listCauses = (attributes: object) =>
    tracing.spans
      .filter((span) => span.name === 'webhook delivery')
      .filter((span) => Object.entries(attributes).every(([name, value]) => span.attributes[name] === value))
      .flatMap(({ links }) => links.map((link) => tracing.spans.find(isRootOf(link))?.name))
  const isRootOf = (trace: string) => (span: Collector['spans'][number]) =>
    span.traceId === trace && span.parentSpanId === undefined
  const ofTest = () => listCauses({ 'agio.message_id': tested?.['id'] })
  await expect.poll(ofTest, eventually).toEqual(['webhooks.test'])
  await call('webhooks.replay', { id: webhook?.['id'], deliveryId: tested?.['id'] })
  await expect.poll(ofTest, eventually).toEqual(['webhooks.test', 'webhooks.replay'])
  await call('webhooks.watch', { chainId: 84532, transactionHash })
  const ofTransaction = () => listCauses({ 'agio.transaction_hash': transactionHash })[0]
  await expect.poll(ofTransaction, eventually).toBe('webhooks.watch')
})

it('errors and the log name the trace of their request, and a node error is a failed span', async () => {
  const failures = await Promise.all(
    Object.values(traced.callers).map((call) => call('pools.get', { chainId: 84532, address: `0x${'1'.repeat(40)}` })),
  )
  const traceIds = failures.map(({ failure }) => failure?.['traceId'])
  expect(new Set(traceIds).size).toBe(2)
  for (const traceId of traceIds) {
    await expect
      .poll(() => tracing.spans.find((span) => span.traceId === traceId && span.name === 'pools.get'), eventually)
      .toMatchObject({ attributes: { 'error.type': failures[0]?.failure?.code }, isFailed: false })
  }
})

it('a stream that is refused, and a topic that fails, name the trace of the request that opened the stream', async () => {
  const { body: refusal } = await sendGet(`${traced.url}/api/v1/stream?topics=[]`)
  await traced.scenarios.run('stale-price')
  const { tAUD: tokenIn, tUSD: tokenOut } = traced.localnet.chains[84532].tokens
  const topics = [{ topic: 'quote', chainId: 84532, tokenIn, tokenOut, amountIn: '100' }]
  await using failing = await openStream(traced.url, { topics, apiKey })
  const { data } = await failing.waitForTopic('quote')
  const traceIds = [refusal['traceId'], (data as { error?: { traceId?: string } }).error?.traceId]
  expect(new Set(traceIds).size).toBe(2)
  const listOperations = () =>
    traceIds.map((id) => tracing.spans.find((span) => span.traceId === id && span.parentSpanId === undefined)?.name)
  await failing.close()
  await expect.poll(listOperations, eventually).toEqual(['stream.watch', 'stream.watch'])
  await traced.scenarios.reset()
})

it('a request that is not sampled has no trace, even if the client requests one', async () => {
  await using collector = await startCollector()
  const { localnet } = traced
  await using agio = await startAgio({ localnet, traceEndpoint: collector.url, traceShare: 0 })
  const { status, body } = await sendPools(agio.url, { traceparent, 'x-api-key': 'none' })
  expect([status, body]).toEqual([401, expect.not.objectContaining({ traceId: expect.anything() as string })])
  await agio.stop()
  expect(collector.received).toEqual([])
})

it.each([
  ['is down', undefined],
  ['hangs', () => {}],
])('a collector that %s fails no request, and lost spans are counted', async (_, answer) => {
  await using collector = await startCollector()
  if (answer) collector.setAnswer(answer)
  else await collector[Symbol.asyncDispose]()
  const { localnet } = traced
  await using agio = await startAgio({ localnet, traceEndpoint: collector.url, traceShare: 1 })
  const statuses = new Set<number>()
  // More than the queue holds.
  for (let sent = 0; sent < 1500; sent += 50) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => sendPools(agio.url)))
    for (const { status } of answers) statuses.add(status)
  }
  expect([...statuses]).toEqual([200])
  const countDropped = async () => {
    const response = await request(`${agio.url}/metrics`, { headers: { 'x-admin-key': adminKey } })
    const counts = (await response.body.text()).matchAll(/^agio_trace_spans_dropped_total\{.*\} (\d+)$/gm)
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
  }
  await expect.poll(countDropped, eventually).toBeGreaterThan(0)
})
