import type { AppRouter } from '@agio/api'
import { createTRPCClient, httpBatchLink, type TRPCClientError } from '@trpc/client'
import { request } from 'undici'
import { describe, expect, inject, it } from 'vitest'
import { expectDocumented, findOperation, operations } from '../harness/openApi.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { adminKey } from '../harness/settingsFor.ts'

const application = { name: 'Shop', email: 'dev@shop.example', useCase: 'payouts', expectedVolume: '1,000 a day' }
const limits = { requests: 10, windowSeconds: 60, burstPerSecond: 5, monthlyQuota: 1000 }

const adminOperations = operations.flatMap(({ procedure = '' }) => (procedure.startsWith('admin.') ? [procedure] : []))

describe.each(inject('runtimes'))('the admin API on $name', ({ url, apiKey, chains }) => {
  /** Calls an operation over REST, and validates the response against openapi.json. */
  async function call(operation: string, input: Record<string, unknown> = {}, headers: object = {}) {
    const { method, path } = findOperation(operation)
    const { id, ...rest } = input
    const query =
      method === 'GET' && Object.keys(rest).length > 0 ? `?${new URLSearchParams(rest as never).toString()}` : ''
    const response = await request(`${url}${path.replace('{id}', encodeURIComponent(String(id)))}${query}`, {
      method: method as 'GET' | 'POST',
      headers: { 'x-admin-key': adminKey, ...(method !== 'GET' && { 'content-type': 'application/json' }), ...headers },
      body: method === 'GET' ? null : JSON.stringify(rest),
    })
    const body = (await response.body.json()) as Record<string, unknown>
    expectDocumented(operation, response.statusCode, body)
    return { status: response.statusCode, body, data: body['data'] as Record<string, unknown> }
  }
  /** The fields beside the id with which an operation of a key changes something. */
  const changesOf = (operation: string) => operation === 'admin.keys.update' && { name: 'Other' }
  const listPools = async (key: string) => {
    const response = await request(`${url}/api/v1/pools`, { headers: { 'x-api-key': key } })
    return { status: response.statusCode, body: (await response.body.json()) as Record<string, unknown> }
  }

  it('the admin API issues a key that works at once, and returns its secret only once', async () => {
    const { data } = await call('admin.keys.create', { ...application, company: 'Shop Ltd' })
    const { key, ...shown } = data
    expect(key).toMatch(/^agio_sk_[0-9A-Za-z]{57}$/)
    expect(shown).toMatchObject({
      ...application,
      kind: 'secret',
      company: 'Shop Ltd',
      id: expect.stringMatching(/^key_[\w-]{12}$/),
      prefix: String(key).slice(0, 16),
      tier: 'standard',
      createdAt: expect.any(String),
    })
    expect(await listPools(String(key))).toMatchObject({ status: 200 })
    const { data: list } = await call('admin.keys.list')
    expect((list['keys'] as object[]).find((found) => (found as { id: string }).id === shown['id'])).toEqual(shown)
    expect(JSON.stringify([list, await call('admin.stats')])).not.toContain(key)
  })

  it('the admin API issues a key of the tier production with its own limits', async () => {
    const { data } = await call('admin.keys.create', { ...application, tier: 'production', limits })
    expect(data).toMatchObject({ tier: 'production', limits })
    const { body, headers } = await request(`${url}/api/v1/pools`, { headers: { 'x-api-key': String(data['key']) } })
    await body.dump()
    expect(headers['ratelimit-policy']).toBe('"production";q=10;w=60, "burst";q=5;w=1, "nodes";q=45600;w=60')
  })

  it('the admin API rotates a key: the old secret works until the overlap ends, or stops at once without an overlap', async () => {
    const { data: first } = await call('admin.keys.create', application)
    const { data: second } = await call('admin.keys.rotate', { id: first['id'] })
    const dayFromNow = Date.now() + 86_400_000
    expect(Math.abs(Date.parse(String(second['oldKeysExpireAt'])) - dayFromNow)).toBeLessThan(60_000)
    expect(second).toMatchObject({ id: first['id'], prefix: String(second['key']).slice(0, 16) })
    expect(await listPools(String(first['key']))).toMatchObject({ status: 200 })
    const { data: third } = await call('admin.keys.rotate', { id: first['id'], overlapSeconds: 0 })
    for (const old of [first, second]) {
      expect(await listPools(String(old['key']))).toMatchObject({ status: 403, body: { code: 'svc/key-revoked' } })
    }
    expect(await listPools(String(third['key']))).toMatchObject({ status: 200 })
  })

  it('the admin API revokes a key permanently, with or without a body, and a second revocation changes nothing', async () => {
    const { data: issued } = await call('admin.keys.create', application)
    const { data: rotated } = await call('admin.keys.rotate', { id: issued['id'] })
    const statuses = () => Promise.all([issued, rotated].map(async ({ key }) => await listPools(String(key))))
    expect(await statuses()).toMatchObject([{ status: 200 }, { status: 200 }])
    const { data: revoked } = await call('admin.keys.revoke', { id: issued['id'] })
    expect(revoked).toMatchObject({ id: issued['id'], revokedAt: expect.any(String) })
    const refused = { status: 403, body: { code: 'svc/key-revoked', retryable: false } }
    expect(await statuses()).toMatchObject([refused, refused])
    const bare = await request(`${url}/api/v1/admin/keys/${String(issued['id'])}/revoke`, {
      method: 'POST',
      headers: { 'x-admin-key': adminKey },
    })
    expect(await bare.body.json()).toEqual({ success: true, data: revoked })
    for (const operation of ['admin.keys.rotate', 'admin.keys.update'])
      expect(await call(operation, { id: issued['id'], ...changesOf(operation) })).toMatchObject(refused)
  })

  it('the admin API reports the usage of each key by operation, day and month', async () => {
    const admin = createAdminClient(url)
    const { id, key } = await admin.issue({ ...limits, requests: 3 })
    expect(await admin.statsOf(id)).toMatchObject({
      calls: 0,
      refused: 0,
      callsByOperation: {},
      days: [],
      remaining: 1000,
    })
    expect(await admin.statsOf(id)).not.toHaveProperty('lastUsedAt')
    await listPools(key)
    await request(`${url}/trpc/pools.list,oracle.prices?batch=1&input=%7B%7D`, { headers: { 'x-api-key': key } })
    await listPools(key)
    const stats = await admin.statsOf(id)
    expect(stats).toMatchObject({
      calls: 3,
      refused: 1,
      callsByOperation: { 'pools.list': 2, 'oracle.prices': 1 },
      quota: 1000,
      remaining: 997,
    })
    expect(stats.days.every(({ day }) => day.startsWith(new Date().toISOString().slice(0, 7)))).toBe(true)
    expect(stats.days.reduce((total, { calls }) => total + calls, 0)).toBe(3)
    expect(stats.days.reduce((total, { refused }) => total + refused, 0)).toBe(1)
    expect(Date.now() - Date.parse(String(stats.lastUsedAt))).toBeLessThan(60_000)
    const { month, totals } = await admin.stats()
    expect(month).toBe(new Date().toISOString().slice(0, 7))
    expect(totals.calls).toBeGreaterThanOrEqual(3)
    const past = await admin.stats('2020-02')
    expect(past).toMatchObject({ month: '2020-02', totals: { calls: 0, refused: 0 } })
    expect(past.keys.find((found) => found.id === id)).toMatchObject({
      calls: 0,
      days: [],
      lastUsedAt: stats.lastUsedAt,
    })
  })

  it('the admin API counts admin.stats on the API key of the request, if there is one, which must be valid', async () => {
    const admin = createAdminClient(url)
    const { id, key } = await admin.issue()
    expect(await call('admin.stats', {}, { 'x-api-key': key })).toMatchObject({ status: 200 })
    expect(await admin.statsOf(id)).toMatchObject({ calls: 1, callsByOperation: { 'admin.stats': 1 } })
    await call('admin.keys.list', {}, { 'x-api-key': key })
    expect(await admin.statsOf(id)).toMatchObject({ calls: 1 })
    expect(await call('admin.stats', {}, { 'x-api-key': 'unknown' })).toMatchObject({ status: 401 })
  })

  it('the admin API rotates the secret of quotes, to sign a minute later, and returns its id but not the secret', async () => {
    const { data } = await call('admin.quotes.rotateSecret')
    expect(data).toEqual({
      id: expect.stringMatching(/^[\w-]{12}$/),
      createdAt: expect.any(String),
      signsFrom: new Date(Date.parse(String(data['createdAt'])) + 60_000).toISOString(),
    })
    const bare = await request(`${url}/api/v1/admin/quotes/rotate-secret`, {
      method: 'POST',
      headers: { 'x-admin-key': adminKey },
    })
    expect(await bare.body.json(), 'a repeated call is the same rotation').toEqual({ success: true, data })
  })

  describe('rejected requests', () => {
    it.each(adminOperations)(
      'the admin API rejects %s without the admin key, with or without an API key',
      async (operation) => {
        const input = { ...(operation === 'admin.keys.create' && application), id: 'key_any' }
        const addressed = { 'x-forwarded-for': '10.1.1.1' }
        for (const headers of [{ 'x-admin-key': 'wrong' }, { 'x-admin-key': apiKey, 'x-api-key': apiKey }]) {
          expect(await call(operation, input, { ...headers, ...addressed })).toMatchObject({
            status: 401,
            body: { code: 'svc/unauthorized' },
          })
        }
        const trpc = await request(`${url}/trpc/${operation}`, { headers: { 'x-api-key': apiKey, ...addressed } })
        expect(trpc.statusCode).toBe(401)
        expect(await trpc.body.text()).toContain('svc/unauthorized')
      },
    )

    it('the admin API rejects an admin operation hidden in an encoded path or in a batch', async () => {
      for (const path of ['%61dmin.stats', 'pools.list,admin.stats', 'pools.list%2C%61dmin.stats']) {
        const headers = { 'x-api-key': apiKey, 'x-forwarded-for': '10.1.1.2' }
        const answer = await request(`${url}/trpc/${path}?batch=1&input=%7B%7D`, { headers })
        expect(answer.statusCode, path).toBe(401)
        expect(await answer.body.text()).not.toContain('totals')
      }
    })

    it('the admin API rejects a batch of public and admin operations with only one of the two keys', async () => {
      const client = (headers: Record<string, string>) =>
        createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: `${url}/trpc`, headers })] })
      const both = async (headers: Record<string, string>) => {
        const { pools, admin } = client(headers)
        return await Promise.all([pools.list.query(), admin.stats.query()])
      }
      const [pools, stats] = await both({ 'x-api-key': apiKey, 'x-admin-key': adminKey })
      expect(pools.pools.length).toBeGreaterThan(0)
      expect(stats.keys.length).toBeGreaterThan(0)
      for (const headers of [{ 'x-api-key': apiKey }, { 'x-admin-key': adminKey }]) {
        const error: unknown = await both({ ...headers, 'x-forwarded-for': '10.1.1.3' }).catch(
          (cause: unknown) => cause,
        )
        expect((error as TRPCClientError<AppRouter>).data).toMatchObject({ code: 'svc/unauthorized', httpStatus: 401 })
      }
    })

    it.each([
      ['name', { name: '' }],
      ['name', { name: 'a'.repeat(201) }],
      ['name', { name: 'two\nlines' }],
      ['email', { email: 'no-at-sign' }],
      ['useCase', { useCase: 42 }],
      ['tier', { tier: 'local' }],
      ['limits', { limits }],
      ['limits', { tier: 'production' }],
      ['limits.requests', { tier: 'production', limits: { ...limits, requests: 0 } }],
      ['limits.monthlyQuota', { tier: 'production', limits: { ...limits, monthlyQuota: 1e12 + 1 } }],
      ['limits.windowSeconds', { tier: 'production', limits: { ...limits, windowSeconds: 2_678_401 } }],
      ['limits.streams', { tier: 'production', limits: { ...limits, streams: 10_001 } }],
      ['limits.burstPerSecond', { tier: 'production', limits: { ...limits, burstPerSecond: 1.5 } }],
      ['key', { key: 'agio_of-my-own' }],
      ['id', { id: 'key_of-my-own', path: undefined }],
    ])('the admin API rejects an application with an invalid %s: %j', async (field, change) => {
      const body = JSON.stringify({ ...application, ...change })
      const response = await request(`${url}/api/v1/admin/keys`, {
        method: 'POST',
        headers: { 'x-admin-key': adminKey, 'content-type': 'application/json' },
        body,
      })
      expect(response.statusCode).toBe(400)
      expect(await response.body.json()).toMatchObject({ code: 'svc/invalid-request', field })
    })

    it('the admin API rejects a pause of quotes for unknown or equal tokens, and on an unknown chain', async () => {
      const { tUSD: tokenA, tAUD: tokenB } = chains[84532].tokens
      const pair = { chainId: 84532, tokenA, tokenB }
      for (const [change, status, code, field] of [
        [{ tokenB: chains[84532].deployment.router }, 400, 'svc/unsupported-token', 'tokenB'],
        [{ tokenB: tokenA }, 400, 'svc/invalid-request', 'tokenB'],
        [{ tokenA: tokenA.slice(1) }, 400, 'svc/invalid-address', 'tokenA'],
        [{ tokenA: undefined }, 400, 'svc/invalid-request', 'tokenA'],
        [{ chainId: 1 }, 400, 'svc/unsupported-chain', 'chainId'],
        [{ chainId: undefined }, 400, 'svc/invalid-request', 'chainId'],
        [{ reason: 'test' }, 400, 'svc/invalid-request', 'reason'],
      ] as const) {
        const outcome = await call('admin.quotes.pause', { ...pair, ...change })
        expect(outcome, JSON.stringify(change)).toMatchObject({ status, body: { code, field } })
      }
      expect(await call('admin.quotes.listPauses')).toMatchObject({ status: 200, data: { pauses: expect.any(Array) } })
    })

    it('the admin API rejects unknown keys, and malformed ids, months and overlaps', async () => {
      for (const operation of ['rotate', 'revoke', 'erase', 'update'].map((name) => `admin.keys.${name}`)) {
        expect(await call(operation, { id: 'key_none', ...changesOf(operation) })).toMatchObject({
          status: 404,
          body: { code: 'svc/not-found' },
        })
        for (const id of ['a b', 'ü', "' or 1=1", 'a\u0000b', 'x'.repeat(65)]) {
          expect(await call(operation, { id, ...changesOf(operation) })).toMatchObject({
            status: 400,
            body: { field: 'id' },
          })
        }
      }
      for (const month of ['2026-13', '2026-1', 'now', '1999-12', '2026-11-01']) {
        expect(await call('admin.stats', { month })).toMatchObject({ status: 400, body: { field: 'month' } })
      }
      for (const overlapSeconds of [-1, 1.5, 2_592_001, '60', null]) {
        const outcome = await call('admin.keys.rotate', { id: 'key_none', overlapSeconds })
        expect(outcome).toMatchObject({ status: 400, body: { field: 'overlapSeconds' } })
      }
      const hidden = await request(`${url}/api/v1/admin/keys/key_none/revoke`, {
        method: 'POST',
        headers: { 'x-admin-key': adminKey, 'content-type': 'application/json' },
        body: '{"id":"key_other"}',
      })
      expect(await hidden.body.json()).toMatchObject({ code: 'svc/invalid-request', field: 'id' })
    })
  })
})
