import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { request } from 'undici'
import { describe, expect, inject, it } from 'vitest'
import { createAgioAdmin } from '../../packages/sdk/src/admin.ts'
import { createAgio } from '../../packages/sdk/src/index.ts'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { expectDocumented, operations } from '../harness/openApi.ts'
import { adminKey } from '../harness/settingsFor.ts'

const application = { name: 'Shop', email: 'dev@shop.example', useCase: 'payouts', expectedVolume: '1,000 a day' }
const webhook = { url: 'https://shop.example/webhooks' }
const roomy = { requests: 1000, windowSeconds: 3600, burstPerSecond: 1000, monthlyQuota: 1000 }
const createKey = () => randomBytes(16).toString('hex')

it('the operations that create something document the header', () => {
  const documented = operations.filter(({ parameters = [] }) =>
    parameters.some(({ name }) => name === 'Idempotency-Key'),
  )
  expect(new Set(documented.map(({ procedure }) => procedure))).toEqual(
    new Set(['admin.keys.create', 'keys.rotate', 'webhooks.create']),
  )
})

describe.each(inject('runtimes'))('idempotency keys on $name', ({ url }) => {
  const { issue } = createAdminClient(url)
  type Response = { readonly status: number; readonly body: Readonly<Record<string, unknown>> }

  /** Calls an operation over REST. */
  async function call(operation: string, input: object, headers: Readonly<Record<string, string>>): Promise<Response> {
    const path = operation === 'webhooks.create' ? 'webhooks' : 'admin/keys'
    const sent = { 'content-type': 'application/json', 'x-admin-key': adminKey, ...headers }
    const body = JSON.stringify(input)
    const response = await request(`${url}/api/v1/${path}`, { method: 'POST', headers: sent, body })
    const answer = (await response.body.json()) as Response['body']
    expectDocumented(operation, response.statusCode, answer)
    return { status: response.statusCode, body: answer }
  }

  it('a repeated creation returns the first result with its secret, over REST and tRPC, and creates nothing', async () => {
    const headers = { 'idempotency-key': createKey() }
    const first = await call('admin.keys.create', application, headers)
    expect(first.body['data']).toMatchObject({ key: expect.stringMatching(/^agio_/) as string })
    // The default of a field is the same input.
    const repeated = await call('admin.keys.create', { ...application, tier: 'standard' }, headers)
    expect(repeated.body['data']).toEqual(first.body['data'])
    const overTrpc = await request(`${url}/trpc/admin.keys.create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-admin-key': adminKey, ...headers },
      body: JSON.stringify(application),
    })
    expect(await overTrpc.body.json()).toEqual({ result: { data: first.body['data'] } })
    const other = await call('admin.keys.create', application, { 'idempotency-key': createKey() })
    expect(other.body['data']).not.toMatchObject({ id: (first.body['data'] as { readonly id: string }).id })
  })

  it('creations at once with one key create one webhook: others are svc/idempotency-key-in-use or have its result', async () => {
    const { key } = await issue(roomy)
    const headers = { 'x-api-key': key, 'idempotency-key': createKey() }
    const responses = await Promise.all(Array.from({ length: 8 }, () => call('webhooks.create', webhook, headers)))
    const ids = responses.flatMap(({ body }) => (body['data'] as { readonly id: string } | undefined)?.id ?? [])
    expect(new Set(ids).size).toBe(1)
    for (const { status, body } of responses.filter((one) => one.status !== 200)) {
      expect({ status, body }).toMatchObject({ status: 409, body: { code: 'svc/idempotency-key-in-use' } })
    }
    const { api } = createAgio({ url, apiKey: key })
    expect((await api.webhooks.list.query()).webhooks.map(({ id }) => id)).toEqual([ids[0]])
  })

  it('a refusal that a retry cannot change is also repeated', async () => {
    const { key } = await issue(roomy)
    const { api } = createAgio({ url, apiKey: key })
    for (let count = 0; count < 10; count += 1) await api.webhooks.create.mutate(webhook)
    const headers = { 'x-api-key': key, 'idempotency-key': createKey() }
    const refused = { status: 409, body: { code: 'svc/webhook-limit' } }
    expect(await call('webhooks.create', webhook, headers)).toMatchObject(refused)
    const [first] = (await api.webhooks.list.query()).webhooks
    await api.webhooks.delete.mutate({ id: first?.id ?? '' })
    expect(await call('webhooks.create', webhook, headers)).toMatchObject(refused)
    const renewed = { ...headers, 'idempotency-key': createKey() }
    expect(await call('webhooks.create', webhook, renewed)).toMatchObject({ status: 200 })
  })

  it('after the erasure of a key, a repetition of its creation returns nothing of it, and creates nothing', async () => {
    const headers = { 'idempotency-key': createKey() }
    const email = `${randomUUID()}@shop.example`
    const { body } = await call('admin.keys.create', { ...application, email }, headers)
    const admin = createAgioAdmin({ url, adminKey })
    await admin.keys.erase.mutate({ id: (body['data'] as { readonly id: string }).id })
    expect(await call('admin.keys.create', { ...application, email }, headers)).toMatchObject({
      status: 422,
      body: { code: 'svc/idempotency-key-reused' },
    })
    expect((await admin.keys.list.query()).keys.filter((key) => key.email === email)).toEqual([])
  })

  it.each([
    ['a UUID of version 7, which has 74 random bits', '0197a3c5-7d2e-7b1c-9f04-5e6a7b8c9d0e'],
    ['a UUID of version 1, which is a time', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'],
    ['20 characters', 'x'.repeat(20)],
    ['30 hex digits', 'a'.repeat(30)],
    ['36 digits', '1'.repeat(36)],
    ['spaces', 'an idempotency key with spaces'],
    ['256 characters', 'x'.repeat(256)],
  ])('error: svc/invalid-request for a key of %s, without its value', async (_, key) => {
    const { status, body } = await call('admin.keys.create', application, { 'idempotency-key': key })
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: 'svc/invalid-request', field: 'Idempotency-Key' },
    })
    expect(JSON.stringify(body)).not.toContain(key)
  })

  it.each([
    ['a random UUID', randomUUID()],
    ['a random UUID in capitals', randomUUID().toUpperCase()],
    ['21 characters', randomBytes(16).toString('base64url').slice(1)],
    ['31 hex digits', randomBytes(16).toString('hex').slice(1)],
    ['37 digits', Array.from({ length: 37 }, () => randomInt(10)).join('')],
    ['a prefix and a UUID', `retry-${randomUUID()}`],
  ])('a key of %s is accepted', async (_, key) => {
    expect(await call('admin.keys.create', application, { 'idempotency-key': key })).toMatchObject({ status: 200 })
  })

  it('the SDK repeats a creation whose response was lost, and it is made once', async () => {
    const sent: (string | null)[] = []
    const lose: typeof fetch = async (target, init) => {
      const response = await fetch(target, init)
      sent.push(new Headers(init?.headers).get('idempotency-key'))
      if (sent.length % 2 === 1) throw new TypeError('the connection was lost')
      return response
    }
    const { key } = await issue(roomy)
    const { id } = await createAgio({ url, apiKey: key, fetch: lose }).api.webhooks.create.mutate(webhook)
    const { webhooks } = await createAgio({ url, apiKey: key }).api.webhooks.list.query()
    expect(webhooks.map((one) => one.id)).toEqual([id])
    const name = `Shop ${randomUUID()}`
    const created = await createAgioAdmin({ url, adminKey, fetch: lose }).keys.create.mutate({ ...application, name })
    const { keys } = await createAgioAdmin({ url, adminKey }).keys.list.query()
    expect(keys.filter((one) => one.name === name).map((one) => one.id)).toEqual([created.id])
    expect([new Set(sent).size, sent.length]).toEqual([2, 4])
    for (const value of sent) expect(value).toMatch(/^[\da-f]{64}$/)
  })
})
