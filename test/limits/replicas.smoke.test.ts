import { Pool, request } from 'undici'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { eventually } from '../harness/timeLimits.ts'
import { describeWith } from '../harness/findServices.ts'
import { settingsFor } from '../harness/settingsFor.ts'
import { setUp } from '../harness/setUp.ts'
import { startPostgres } from '../harness/startPostgres.ts'
import { startRedis } from '../harness/startRedis.ts'
import { startServerProcess, type ServerProcess } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'

const roomy = { requests: 100_000, windowSeconds: 3600, burstPerSecond: 100_000, monthlyQuota: 1_000_000 }

const describeReplicas = await describeWith(['PostgreSQL binaries', 'Redis binary'], 'replicas that share everything')

// Child processes, on a PostgreSQL and a Redis that this test stops and starts.
describeReplicas('three replicas', () => {
  const localnet = setUp(() => startTestLocalnet({ onDisk: true }))
  const postgres = setUp(startPostgres)
  const redis = setUp(startRedis)
  let replicas: readonly ServerProcess[]
  beforeAll(async () => {
    const settings = settingsFor(localnet, {
      databaseUrl: postgres.url,
      redisUrl: redis.url,
      phase: 'staging',
      logLevel: 'error',
    })
    // Concurrently, on an empty database.
    replicas = await Promise.all(
      ['Node', 'Node', 'Deno'].map((runtime) => startServerProcess(settings, runtime as 'Node')),
    )
    await expectHealth({ body: { status: 'ok', limits: 'shared' } })
  })
  afterAll(() => Promise.all(replicas.map((replica) => replica.stop())))

  const admin = () => createAdminClient(replicas[0]?.url ?? '')
  async function listPools({ url }: { url: string }, key: string) {
    const response = await request(`${url}/api/v1/pools`, { headers: { 'x-api-key': key } })
    const body = (await response.body.json()) as Record<string, unknown>
    return { status: response.statusCode, code: body['code'], headers: response.headers }
  }
  async function health({ url }: { url: string }) {
    const response = await request(`${url}/health`)
    return { status: response.statusCode, body: (await response.body.json()) as Record<string, unknown> }
  }
  /** Waits until each replica reports a health. */
  async function expectHealth(expected: object) {
    const isExpected = async (replica: ServerProcess) => expect(await health(replica)).toMatchObject(expected)
    for (const replica of replicas) await vi.waitFor(() => isExpected(replica), eventually)
  }
  /** Sends concurrent requests to all replicas in turn, and counts the responses by status. */
  async function flood(key: string, count: number) {
    const seen: Record<number, number> = {}
    const pools = replicas.map(({ url }) => new Pool(url, { connections: 8 }))
    const next = Array.from({ length: count }, (_, index) => index).values()
    const work = async () => {
      for (const index of next) {
        const pool = pools[index % pools.length] as Pool
        const response = await pool.request({ path: '/api/v1/pools', method: 'GET', headers: { 'x-api-key': key } })
        await response.body.dump()
        seen[response.statusCode] = (seen[response.statusCode] ?? 0) + 1
      }
    }
    await Promise.all(Array.from({ length: 24 }, work))
    await Promise.all(pools.map((pool) => pool.close()))
    return seen
  }

  it('three replicas share one window, burst and quota per key, and count exactly the admitted calls', async () => {
    const window = await admin().issue({ ...roomy, requests: 500 })
    expect(await flood(window.key, 600)).toEqual({ 200: 500, 429: 100 })
    await expect
      .poll(async () => await admin().statsOf(window.id))
      .toMatchObject({ calls: 500, refused: 100, callsByOperation: { 'pools.list': 500 } })
    const quota = await admin().issue({ ...roomy, monthlyQuota: 100 })
    expect(await flood(quota.key, 300)).toEqual({ 200: 100, 429: 200 })
    const burst = await admin().issue({ ...roomy, burstPerSecond: 20 })
    const startedAt = performance.now()
    const seen = await flood(burst.key, 300)
    const seconds = (performance.now() - startedAt) / 1000
    expect(seen[200]).toBeGreaterThanOrEqual(20)
    expect(seen[200]).toBeLessThanOrEqual(20 * Math.ceil(seconds + 1))
  })

  it('three replicas admit a share of each limit while Redis is unavailable, report it, and share them again afterwards', async () => {
    const full = await admin().issue({ ...roomy, requests: 30 })
    const busy = await admin().issue(roomy)
    expect(await flood(full.key, 60)).toEqual({ 200: 30, 429: 30 })
    const flooding = flood(busy.key, 1500)
    await redis.stop()
    expect(await flooding, 'no request fails while Redis stops').toEqual({ 200: 1500 })
    await expectHealth({ status: 200, body: { status: 'degraded', limits: 'unreachable', storage: 'ok' } })
    for (const replica of replicas) {
      expect((await listPools(replica, full.key)).status, 'an exhausted window stays exhausted').toBe(429)
      expect(replica.lines.join('\n')).toContain('Redis is unavailable')
    }
    const own = await admin().issue({ ...roomy, requests: 10 })
    // A third of the limit each, rounded up.
    expect(await flood(own.key, 90), 'each replica admits its share').toEqual({ 200: 12, 429: 78 })
    const back = flood(busy.key, 1500)
    await redis.start()
    expect(await back, 'no request fails while Redis starts').toEqual({ 200: 1500 })
    await expectHealth({ body: { status: 'ok', limits: 'shared' } })
    for (const replica of replicas) expect((await listPools(replica, full.key)).status).toBe(429)
    const shared = await admin().issue({ ...roomy, requests: 50 })
    expect(await flood(shared.key, 90)).toEqual({ 200: 50, 429: 40 })
  })

  it('three replicas accept keys in memory while PostgreSQL is unavailable, and write their counts afterwards', async () => {
    const known = await admin().issue(roomy)
    const unknown = await admin().issue(roomy)
    expect(await flood(known.key, 30)).toEqual({ 200: 30 })
    const flooding = flood(known.key, 1000)
    await postgres.stop()
    expect(await flooding).toEqual({ 200: 1000 })
    await expectHealth({ status: 503, body: { status: 'down', storage: 'unreachable' } })
    for (const replica of replicas) {
      expect(await listPools(replica, known.key)).toMatchObject({ status: 200 })
      const refused = await listPools(replica, unknown.key)
      expect(refused).toMatchObject({ status: 503, code: 'svc/storage-unavailable' })
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    }
    await postgres.start()
    await expectHealth({ status: 200, body: { storage: 'ok' } })
    for (const replica of replicas) expect(await listPools(replica, unknown.key)).toMatchObject({ status: 200 })
    await expect.poll(async () => (await admin().statsOf(known.id)).calls).toBe(1033)
  })
})
