import { Month, Tier } from '@agio/core'
import { createRedisStore, type CountingStore } from '@agio/store/testing'
import { request } from 'undici'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { describeWith } from '../harness/findServices.ts'
import { startAgio, type AgioStack } from '../harness/startAgio.ts'
import { startRedis, type TestRedis } from '../harness/startRedis.ts'
import { eventually } from '../harness/timeLimits.ts'
import { openStream } from '../streams/openStream.ts'

const describeRedis = await describeWith(['Redis binary'], 'calls that another process has leased')

const limits = { requests: 20_000, windowSeconds: 3600, burstPerSecond: 20_000, monthlyQuota: 20_000 }
const quota = `quota-${Month.at(Date.now())}`
const hourMs = 3_600_000

type LeasedWindow = { readonly name: string; readonly limit: number; readonly free?: number }

describeRedis('a key whose last calls another process has leased', () => {
  let redis: TestRedis
  let stack: AgioStack
  let other: CountingStore

  beforeAll(async () => {
    redis = await startRedis()
    stack = await startAgio({ redisUrl: redis.url, ownDatabase: true, phase: 'staging' })
    await vi.waitUntil(() => stack.readHealth().limits === 'shared', eventually)
    other = createRedisStore(redis.url)
    await other.connect(() => {})
  })
  afterAll(async () => {
    other?.close()
    await stack?.[Symbol.asyncDispose]()
    await redis?.[Symbol.asyncDispose]()
  })

  /** The other process leases 100 calls of a window, and makes all others but a few. Returns a function that returns the lease. */
  async function leaseLast(id: string, { name, limit, free = 0 }: LeasedWindow) {
    const window = { name, limit, lengthMs: hourMs, knownUsed: 0, unsynced: [] }
    const count = { subject: `key:${id}`, windows: [window] }
    const lease = { windows: 1, windowIds: [], spent: 0, returned: 0, wanted: 100 }
    const { granted, windowIds } = await other.admit({ ...count, costs: [[0]], number: 1, lease })
    const { admissions } = await other.admit({ ...count, costs: [[limit - 100 - free]], number: 2 })
    expect([granted, admissions[0]?.isAdmitted]).toEqual([100, true])
    const returned = { ...lease, windowIds, returned: 100, wanted: 0 }
    return async () => void (await other.admit({ ...count, costs: [[0]], number: 3, lease: returned }))
  }
  async function listPools(key: string) {
    const response = await request(`${stack.url}/api/v1/pools`, { headers: { 'x-api-key': key } })
    const body = (await response.body.json()) as Record<string, unknown>
    return { status: response.statusCode, headers: response.headers, body }
  }

  it.each(['production', quota])(
    'a call beyond the rest of the window %s is 429 for a second, with the calls that remain, and admitted once they are returned',
    async (name) => {
      const { id, key } = await createAdminClient(stack.url).issue(limits)
      const returnLease = await leaseLast(id, { name, limit: 20_000 })
      const { status, headers, body } = await listPools(key)
      expect(status).toBe(429)
      expect(body).toMatchObject({ code: 'svc/rate-limited', retryable: true, action: 'wait', retryAfterSeconds: 1 })
      expect(body['error']).toContain('the remaining calls are reserved for concurrent requests')
      expect(headers['retry-after']).toBe('1')
      const left = name === 'production' ? 100 : 20_000
      expect(headers['ratelimit']).toMatch(
        new RegExp(`^"production";r=${left};t=(3600|35\\d\\d), "burst";r=20000;t=1, "nodes"`),
      )
      expect(headers['ratelimit-policy']).toContain('"production";q=20000;w=3600')
      await returnLease()
      expect((await listPools(key)).status).toBe(200)
    },
  )

  it('a topic whose node requests another process has leased is told to wait for a second, not until the window ends', async () => {
    const { id, key } = await createAdminClient(stack.url).issue(limits)
    const { limit, reserved } = Tier.toNodeBudget(limits)
    await leaseLast(id, { name: 'nodes', limit: limit - reserved })
    const topics = [{ topic: 'transaction', transactionHash: `0x${'ab'.repeat(32)}` }]
    await using stream = await openStream(stack.url, { topics, apiKey: key })
    const { data } = await stream.waitFor((event) => 'error' in event.data)
    expect(data).toMatchObject({ error: { code: 'svc/rate-limited', retryable: true, retryAfterSeconds: 1 } })
  })

  it('a quote of a stream whose quota another process has leased is told to wait for a second, not until the month ends', async () => {
    const { id, key } = await createAdminClient(stack.url).issue(limits)
    // The request of the stream is a call, too.
    await leaseLast(id, { name: quota, limit: 20_000, free: 1 })
    const { tAUD, tUSD } = stack.localnet.chains[84532].tokens
    const topics = [{ topic: 'quote', chainId: 84532, amountIn: '1', tokenIn: tAUD, tokenOut: tUSD }]
    await using stream = await openStream(stack.url, { topics, apiKey: key })
    const { data } = await stream.waitFor(() => true)
    expect(data).toMatchObject({ error: { code: 'svc/rate-limited', retryable: true, retryAfterSeconds: 1 } })
  })
})
