import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { partOf } from '../harness/partOf.ts'
import { adminKey, apiKey, settingsFor } from '../harness/settingsFor.ts'
import { startServerProcess } from '../harness/startServerProcess.ts'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { startTestServer } from '../harness/startTestServer.ts'
import { setUp } from '../harness/setUp.ts'

type Running = { readonly url: string; stop(): Promise<void> }

const roomy = { requests: 1000, windowSeconds: 3600, burstPerSecond: 1000, monthlyQuota: 1_000_000 }

const localnet = setUp(() => startTestLocalnet({ onDisk: true }))

describe.each(partOf(['Node', 'Deno'] as const))('limits on %s', (runtime) => {
  let server: Running
  let enforcing: Running
  beforeAll(async () => {
    const start = (changes: object) =>
      runtime === 'Node'
        ? startTestServer(localnet, { ...changes, ownDatabase: true })
        : startServerProcess(settingsFor(localnet, changes), 'Deno')
    server = await start({})
    enforcing = await start({ phase: 'staging' })
  })
  afterAll(async () => {
    await server.stop()
    await enforcing.stop()
  })

  async function send(path: string, key: string, { url }: { url: string } = server) {
    const response = await request(`${url}${path}`, { headers: { 'x-api-key': key } })
    const body = JSON.parse(await response.body.text()) as Record<string, unknown>
    return { status: response.statusCode, headers: response.headers, body }
  }
  const statuses = (answers: readonly { status: number }[]) =>
    answers.map(({ status }) => status).toSorted((a, b) => a - b)

  it('a new key has the limits of the tier standard, and every response reports the remaining calls', async () => {
    const { key } = await createAdminClient(server.url).issue()
    const policy = '"standard";q=100;w=900, "burst";q=10;w=1, "nodes";q=89000;w=900'
    const paths = ['/api/v1/pools', '/api/v1/pools?page=x', '/api/v1/none', '/trpc/pools.list', '/trpc/none.at.all']
    for (const [index, path] of paths.entries()) {
      const { headers } = await send(path, key)
      expect(headers['ratelimit-policy'], path).toBe(policy)
      expect(headers['ratelimit'], path).toMatch(
        new RegExp(`^"standard";r=${99 - index};t=(900|8\\d\\d), "burst";r=\\d+;t=1, "nodes";r=89000;t=900$`),
      )
    }
  })

  it('the burst limit admits ten calls per second, rejects the rest, and reports when to retry', async () => {
    const { id, key } = await createAdminClient(server.url).issue()
    const answers = await Promise.all(Array.from({ length: 15 }, () => send('/api/v1/pools', key)))
    const admitted = answers.filter(({ status }) => status === 200).length
    // On a slow machine the fifteen requests may take more than one second, and then span two windows.
    expect(admitted).toBeGreaterThanOrEqual(10)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBe(15 - admitted)
    for (const { headers, body } of refused) {
      expect(headers['retry-after']).toBe('1')
      expect(headers['ratelimit']).toContain('"burst";r=0;t=1')
      expect(body).toMatchObject({ code: 'svc/rate-limited', retryable: true, action: 'wait', retryAfterSeconds: 1 })
      expect(body['error']).toContain('limit of 10 calls per second reached')
    }
    await expect.poll(async () => (await send('/api/v1/pools', key)).status).toBe(200)
    expect(await createAdminClient(server.url).statsOf(id)).toMatchObject({ quota: 100_000 })
  })

  it('a window admits exactly its number of calls, and a rejected call uses none', async () => {
    const { id, key } = await createAdminClient(server.url).issue({ ...roomy, requests: 5 })
    const answers = await Promise.all(Array.from({ length: 20 }, () => send('/api/v1/pools', key)))
    expect(statuses(answers)).toEqual([...Array(5).fill(200), ...Array(15).fill(429)])
    const { headers, body } = await send('/api/v1/pools', key)
    expect(headers['ratelimit']).toMatch(/^"production";r=0;t=(3600|35\d\d), "burst";r=\d+;t=1, "nodes";r=\d+;t=3600$/)
    expect(Number(headers['retry-after'])).toBeGreaterThan(3500)
    expect(body['retryAfterSeconds']).toBe(Number(headers['retry-after']))
    expect(await createAdminClient(server.url).statsOf(id)).toMatchObject({
      calls: 5,
      refused: 16,
      callsByOperation: { 'pools.list': 5 },
      remaining: 999_995,
    })
  })

  it('a batch is counted per call, and admitted or rejected as a whole', async () => {
    const { id, key } = await createAdminClient(server.url).issue({ ...roomy, requests: 7 })
    const batch = (length: number) =>
      send(`/trpc/${Array.from({ length }, () => 'pools.list').join(',')}?batch=1&input=%7B%7D`, key)
    expect((await batch(4)).headers['ratelimit']).toContain('"production";r=3')
    const refused = await batch(4)
    expect(refused.status).toBe(429)
    expect(JSON.stringify(refused.body)).toContain('svc/rate-limited')
    expect(refused.headers['retry-after']).toBeDefined()
    // The same with an encoded separator, which tRPC decodes.
    expect(
      (await send('/trpc/pools.list%2Cpools.list%2Cpools.list%2Cpools.list?batch=1&input=%7B%7D', key)).status,
    ).toBe(429)
    expect((await batch(3)).headers['ratelimit']).toContain('"production";r=0')
    expect(await createAdminClient(server.url).statsOf(id)).toMatchObject({
      calls: 7,
      refused: 8,
      callsByOperation: { 'pools.list': 7 },
    })
  })

  it('error: a batch larger than a window is rejected as such, and its calls are counted as refused', async () => {
    const { id, key } = await createAdminClient(server.url).issue({ ...roomy, burstPerSecond: 2 })
    const answer = await send('/trpc/pools.list,pools.list,pools.list?batch=1&input=%7B%7D', key)
    expect(answer.status).toBe(400)
    expect(answer.headers['ratelimit']).toContain('"production";r=1000')
    expect(JSON.stringify(answer.body)).toContain('the key allows at most 2 calls per second')
    expect(await createAdminClient(server.url).statsOf(id)).toMatchObject({ calls: 0, refused: 3 })
    const oversized = `/trpc/${Array.from({ length: 11 }, () => 'pools.list').join(',')}?batch=1&input=%7B%7D`
    const tooLong = await send(oversized, key)
    expect(tooLong.status).toBe(400)
    expect(tooLong.headers['ratelimit']).toContain('"production";r=999')
    expect((await send(oversized, 'unknown')).status).toBe(401)
  })

  it('names with commas are one unknown call without batch=1, and need no admin key', async () => {
    const { id, key } = await createAdminClient(server.url).issue(roomy)
    for (const path of ['/trpc/pools.list,pools.list', '/trpc/pools.list%2Cadmin.stats?batch=0', '/trpc/a,b?batch=2'])
      expect((await send(path, key)).status, path).toBe(404)
    const { callsByOperation } = await createAdminClient(server.url).statsOf(id)
    expect(callsByOperation).toEqual({ unknown: 3 })
  })

  it('the largest limits of a key are stated in the headers and in its usage without a loss of digits', async () => {
    const most = 1_000_000_000_000
    const largest = { requests: most, windowSeconds: 2_678_400, burstPerSecond: most, monthlyQuota: most }
    const { key } = await createAdminClient(server.url).issue({ ...largest, streams: 10_000 })
    const { status, headers, body } = await send('/api/v1/usage', key)
    expect(status).toBe(200)
    // A structured field has integers of at most 15 digits.
    expect(headers['ratelimit-policy']).toBe(
      `"production";q=${most};w=2678400, "burst";q=${most};w=1, "nodes";q=999999999999999;w=2678400`,
    )
    expect(body['data']).toMatchObject({ quota: most, nodeRequests: { limit: 999_999_999_999_999, used: 0 } })
  })

  it('a quota is enforced outside the sandbox, until the month ends', async () => {
    const { id, key } = await createAdminClient(enforcing.url).issue({ ...roomy, monthlyQuota: 3 })
    const answers = await Promise.all(Array.from({ length: 8 }, () => send('/api/v1/pools', key, enforcing)))
    expect(statuses(answers)).toEqual([200, 200, 200, 429, 429, 429, 429, 429])
    const sentAt = new Date()
    const { headers, body } = await send('/api/v1/pools', key, enforcing)
    expect(body).toMatchObject({ code: 'svc/quota-exceeded', retryable: true, action: 'wait' })
    const endMs = Date.UTC(sentAt.getUTCFullYear(), sentAt.getUTCMonth() + 1, 1)
    const [most, least] = [sentAt, new Date()].map((at) => (endMs - at.getTime()) / 1000)
    expect(Number(headers['retry-after'])).toBeGreaterThan((least ?? 0) - 2)
    expect(Number(headers['retry-after'])).toBeLessThan((most ?? 0) + 2)
    expect(await createAdminClient(enforcing.url).statsOf(id)).toMatchObject({ calls: 3, refused: 6, remaining: 0 })
  })

  it('a quota is counted in the sandbox, but not enforced', async () => {
    const { id, key } = await createAdminClient(server.url).issue({ ...roomy, monthlyQuota: 3 })
    const answers = await Promise.all(Array.from({ length: 8 }, () => send('/api/v1/pools', key)))
    expect(statuses(answers)).toEqual(Array(8).fill(200))
    expect(await createAdminClient(server.url).statsOf(id)).toMatchObject({ calls: 8, quota: 3, remaining: 0 })
  })

  it('the tier local has no limits, and its responses have no limit headers', async () => {
    const answers = await Promise.all(Array.from({ length: 150 }, () => send('/api/v1/pools', apiKey)))
    expect(statuses(answers)).toEqual(Array(150).fill(200))
    expect(answers[0]?.headers).not.toHaveProperty('ratelimit')
    expect(answers[0]?.headers).not.toHaveProperty('ratelimit-policy')
  })

  it('/health and the documents are neither limited nor counted', async () => {
    const before = (await createAdminClient(server.url).stats()).totals
    for (const path of ['/health', '/openapi.json', '/docs', '/docs/api', '/docs/errors']) {
      for (let i = 0; i < 15; i++) {
        const { statusCode, headers, body } = await request(`${server.url}${path}`, {
          headers: { 'x-api-key': apiKey },
        })
        await body.dump()
        expect(statusCode).toBe(200)
        expect(headers).not.toHaveProperty('ratelimit')
      }
    }
    expect((await createAdminClient(server.url).stats()).totals).toEqual(before)
  })
})

describe('requests without a valid key', () => {
  /** Starts a service behind so many trusted proxies, until the test ends. */
  async function start(trustedProxies: number): Promise<Running> {
    const server = await startTestServer(localnet, { trustedProxies })
    onTestFinished(() => server.stop())
    return server
  }
  const sendUnauthenticated = async (
    server: Running,
    count: number,
    headersOf: (index: number) => Record<string, string>,
    path = '/api/v1/pools',
  ) => {
    const seen: Record<number, number> = {}
    const next = Array.from({ length: count }, (_, index) => index).values()
    const work = async () => {
      for (const index of next) {
        const response = await request(`${server.url}${path}`, { headers: headersOf(index) })
        await response.body.dump()
        if (response.statusCode === 429) expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(60)
        seen[response.statusCode] = (seen[response.statusCode] ?? 0) + 1
      }
    }
    // Concurrently: a guess must not pass while others are being looked up.
    await Promise.all(Array.from({ length: 50 }, work))
    return seen
  }

  it('unknown keys from one address get 120 responses of 401, then only 429', async () => {
    const server = await start(0)
    const { key } = await createAdminClient(server.url).issue()
    const listPools = async () =>
      (await request(`${server.url}/api/v1/pools`, { headers: { 'x-api-key': key } })).statusCode
    expect(await listPools()).toBe(200)
    // Without a trusted proxy, the forwarded address of a request is ignored.
    const forged = (index: number) => ({
      'x-api-key': `guess-${index}`,
      'x-forwarded-for': `198.51.100.${index % 250}`,
    })
    expect(await sendUnauthenticated(server, 200, forged)).toEqual({ 401: 120, 429: 80 })
    expect(await listPools(), 'a key in use keeps working').toBe(200)
  })

  it('a valid admin key and a valid API key that is not in memory work from an address that has reached its limit', async () => {
    const server = await start(0)
    const { key } = await createAdminClient(server.url).issue()
    expect(await sendUnauthenticated(server, 121, () => ({}))).toEqual({ 401: 120, 429: 1 })
    const guessing = sendUnauthenticated(server, 200, (index) => ({ 'x-api-key': `guess-${index}` }))
    expect(await sendUnauthenticated(server, 1, () => ({ 'x-api-key': key }))).toEqual({ 200: 1 })
    const { key: other } = await createAdminClient(server.url).issue()
    expect(await sendUnauthenticated(server, 1, () => ({ 'x-api-key': other }))).toEqual({ 200: 1 })
    expect(Object.keys(await guessing)).not.toContain('200')
  })

  it('guesses of the admin key are limited by address on their own, and a right guess after too many is not confirmed', async () => {
    const server = await start(1)
    const from = (client: string, key: string) => () => ({ 'x-admin-key': key, 'x-forwarded-for': client })
    const send = (count: number, headersOf: () => Record<string, string>) =>
      sendUnauthenticated(server, count, headersOf, '/api/v1/admin/stats')
    expect(await send(130, from('198.51.100.7', adminKey)), 'a right key uses up nothing').toEqual({ 200: 130 })
    expect(await send(150, from('198.51.100.7', 'a wrong admin key'))).toEqual({ 401: 120, 429: 30 })
    expect(await send(1, from('198.51.100.7', adminKey))).toEqual({ 429: 1 })
    expect(await send(1, from('198.51.100.8', adminKey))).toEqual({ 200: 1 })
    expect(await send(1, () => ({ 'x-forwarded-for': '198.51.100.7' })), 'a missing key is not a guess').toEqual({
      401: 1,
    })
  })
})
