import { request } from 'undici'
import { describe, expect, inject, it } from 'vitest'
import { createRestCaller } from '../harness/createRestCaller.ts'
import { createTrpcCaller } from '../harness/createTrpcCaller.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'

const limits = { requests: 6, windowSeconds: 900, burstPerSecond: 6, monthlyQuota: 1000 }

describe.each(inject('runtimes'))('the usage of a key on $name', ({ url, apiKey }) => {
  const admin = createAdminClient(url)

  it('usage.get returns the calls of the key by operation and day, its own included, as admin.stats counts them', async () => {
    const { id, key } = await admin.issue(limits)
    const [rest, trpc] = [createRestCaller({ url, apiKey: key }), createTrpcCaller({ url, apiKey: key })]
    const { data: first } = await rest('usage.get', {})
    expect(first).toMatchObject({ calls: 1, refused: 0, callsByOperation: { 'usage.get': 1 }, remaining: 999 })
    for (const call of [rest, trpc]) await call('chains.list', {})
    await rest('pools.list', {})
    const { data } = await trpc('usage.get', {})
    const callsByOperation = { 'usage.get': 2, 'chains.list': 2, 'pools.list': 1 }
    const stats = await admin.statsOf(id)
    expect(data).toEqual({
      month: (await admin.stats()).month,
      tier: 'production',
      calls: 5,
      refused: 0,
      callsByOperation,
      days: expect.any(Array),
      quota: 1000,
      remaining: 995,
      limits: { requests: 6, windowSeconds: 900, burstPerSecond: 6 },
      nodeRequests: { limit: 70_200, windowSeconds: 900, used: 0, resetSeconds: 900 },
    })
    expect(stats).toMatchObject({ calls: 5, callsByOperation })
    const days = (data?.['days'] ?? []) as readonly Day[]
    expect(days.map(({ callsByOperation: _, ...day }) => day)).toEqual(stats.days)
    expect(addUp(days)).toEqual(callsByOperation)
  })

  it('usage.get counts against the limits of its key, and reports the calls that they refused', async () => {
    const { key } = await admin.issue({ ...limits, requests: 3 })
    const [rest, trpc] = [createRestCaller({ url, apiKey: key }), createTrpcCaller({ url, apiKey: key })]
    for (const remaining of [999, 998]) expect((await rest('usage.get', {})).data).toMatchObject({ remaining })
    // One request with two calls, of which the window has room for one.
    const batch = await Promise.all([trpc('chains.list', {}), trpc('pools.list', {})])
    expect(batch.map(({ status }) => status)).toEqual([429, 429])
    const { data } = await rest('usage.get', {})
    expect(data).toMatchObject({ calls: 3, refused: 2, callsByOperation: { 'usage.get': 3 }, remaining: 997 })
    expect(addUp((data?.['days'] ?? []) as readonly Day[])).toEqual({ 'usage.get': 3 })
    expect(await rest('usage.get', {})).toMatchObject({ status: 429, failure: { code: 'svc/rate-limited' } })
  })

  it('usage.get returns no quota and no limits for a tier that has none, and nothing for a month without calls', async () => {
    const call = createRestCaller({ url, apiKey })
    const { data } = await call('usage.get', { month: '2020-02' })
    expect(data).toEqual({ month: '2020-02', tier: 'local', calls: 0, refused: 0, callsByOperation: {}, days: [] })
  })

  it('error: usage.get rejects a malformed month, and a request without an API key, even with the admin key', async () => {
    const call = createRestCaller({ url, apiKey })
    const failure = { code: 'svc/invalid-request', field: 'month' }
    expect(await call('usage.get', { month: '2026-13' })).toMatchObject({ status: 400, failure })
    const headers = { 'x-admin-key': 'any', 'x-forwarded-for': '10.1.1.9' }
    const response = await request(`${url}/api/v1/usage`, { headers })
    expect(response.statusCode).toBe(401)
    expect(await response.body.json()).toMatchObject({ code: 'svc/unauthorized' })
  })
})

type Day = { readonly callsByOperation: Readonly<Record<string, number>> }

function addUp(days: readonly Day[]): Readonly<Record<string, number>> {
  const totals: Record<string, number> = {}
  for (const { callsByOperation } of days) {
    for (const [operation, calls] of Object.entries(callsByOperation))
      totals[operation] = (totals[operation] ?? 0) + calls
  }
  return totals
}
