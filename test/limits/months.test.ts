import { hash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '@agio/api'
import { Operator } from '@agio/core'
import { defaultSettings } from '@agio/server'
import { openLimiter, openStore } from '@agio/store'
import { expect, it } from 'vitest'
import { adminKey } from '../harness/settingsFor.ts'
import { createFolder } from '../store/listDatabases.ts'
import { actor } from '../store/shop.ts'

const silent = { info: () => {}, error: () => {} }

it('an exhausted quota is renewed at the start of the next month, UTC', async () => {
  // The database contains only the key of this test.
  const folder = await mkdtemp(join(tmpdir(), 'agio-test-'))
  const nextMonthMs = Date.parse('2027-01-01T00:00:00.000Z')
  // The limiter counts the rest of the month by its own clock, which goes on during the test.
  let nowMs = nextMonthMs - 600_000
  const now = () => nowMs
  const store = await openStore({ location: { folder }, log: silent, now })
  const app = createApp({
    ...defaultSettings,
    store,
    limiter: await openLimiter({ log: silent }),
    // The operations of this test read no chain.
    chains: {},
    maxStreams: 1,
    operators: [{ name: 'admin', roles: Operator.roles, digests: [hash('sha256', adminKey, 'hex')] }],
    areQuotasEnforced: true,
    webhookTargets: 'off',
    isOriginAllowed: () => false,
    readOpenApi: async () => new Uint8Array(),
    docs: {
      listFiles: async () => [],
      readFile: async () => new Uint8Array(),
      readAsset: async () => new Uint8Array(),
    },
    isDraining: () => false,
    metrics: {
      observe: () => {},
      observeQuote: () => {},
      observeNodeRequests: () => {},
      observeStreams: () => {},
      render: async () => '',
      mediaType: 'text/plain',
    },
    log: silent,
    now,
  })
  const request = async (path: string, headers: Record<string, string>) => {
    const response = await app.fetch(new Request(`http://localhost${path}`, { headers }), '127.0.0.1')
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body: await response.text() }
  }
  const stats = async (query = '') => {
    const { body } = await request(`/api/v1/admin/stats${query}`, { 'x-admin-key': adminKey })
    return (JSON.parse(body) as { data: object }).data
  }
  try {
    const limits = { requests: 100, windowSeconds: 60, burstPerSecond: 100, monthlyQuota: 2 }
    const about = { name: 'Shop', email: 'dev@shop.example', useCase: 'payouts', expectedVolume: 'any' }
    const { key, secret } = await store.keys.create({ ...about, tier: 'production', limits }, actor)
    const call = () => request('/api/v1/none', { 'x-api-key': secret })
    expect([(await call()).status, (await call()).status]).toEqual([404, 404])
    const refused = await call()
    expect(refused.status).toBe(429)
    expectSeconds(refused.retryAfter, 600)
    expect(refused.body).toContain('svc/quota-exceeded')
    expect(await stats()).toMatchObject({
      month: '2026-12',
      keys: [{ id: key.id, calls: 2, refused: 1, remaining: 0, days: [{ day: '2026-12-31', calls: 2, refused: 1 }] }],
    })

    nowMs = nextMonthMs
    expect(await stats()).toMatchObject({ month: '2027-01', keys: [{ calls: 0, refused: 0, remaining: 2, days: [] }] })
    expect([(await call()).status, (await call()).status]).toEqual([404, 404])
    const refusedAgain = await call()
    expect(refusedAgain.status).toBe(429)
    expectSeconds(refusedAgain.retryAfter, 31 * 86_400)
    expect(await stats()).toMatchObject({ month: '2027-01', keys: [{ calls: 2, refused: 1, remaining: 0 }] })
    const days = [{ day: '2026-12-31', calls: 2, refused: 1 }]
    expect(await stats('?month=2026-12')).toMatchObject({ keys: [{ calls: 2, refused: 1, days }] })
  } finally {
    await store.close()
    await rm(folder, { recursive: true })
  }
})

it('the used part of a quota survives a restart', async () => {
  await using place = await createFolder()
  const { folder } = place
  const about = { name: 'Shop', email: 'dev@shop.example', useCase: 'payouts', expectedVolume: 'any' }
  const first = await openStore({ location: { folder }, log: silent })
  const { key } = await first.keys.create({ ...about, tier: 'standard' }, actor)
  first.usage.count(key.id, 'convert.preview', 7)
  await first.close()
  const second = await openStore({ location: { folder }, log: silent })
  const month = new Date().toISOString().slice(0, 7)
  const quota = {
    name: `quota-${month}`,
    limit: 10,
    lengthMs: 1_000_000,
    readUsed: () => second.usage.readCalls(key.id, month),
  }
  const { admit } = await openLimiter({ log: silent })
  const answers = await Promise.all(Array.from({ length: 5 }, async () => admit(key.id, [quota])))
  expect(answers.filter(({ isAdmitted }) => isAdmitted)).toHaveLength(3)
  await second.close()
})

/** Asserts the whole seconds until a time, less those that the test has used. */
function expectSeconds(text: string | null, atMost: number): void {
  expect(text).toMatch(/^\d+$/)
  expect(Number(text)).toBeLessThanOrEqual(atMost)
  expect(Number(text)).toBeGreaterThan(atMost - 300)
}
