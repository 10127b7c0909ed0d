import { request } from 'undici'
import { describe, expect, inject, it } from 'vitest'
import { createAgioAdmin, isAgioError, verifyAuditLog } from '../../packages/sdk/src/admin.ts'
import { createAgio } from '../../packages/sdk/src/index.ts'
import { adminKey, operatorKeys } from '../harness/settingsFor.ts'

const application = { name: 'Shop', email: 'dev@shop.example', useCase: 'payouts', expectedVolume: '1,000 a day' }

describe.each(inject('runtimes'))('the admin client of the SDK on $name', ({ url }) => {
  const admin = createAgioAdmin({ url, adminKey })

  it('a key that the admin client issues and rotates calls the service, until it is revoked', async () => {
    const { id, key } = await admin.keys.create.mutate(application)
    const rotated = await admin.keys.rotate.mutate({ id, overlapSeconds: 0 })
    expect(rotated.key).not.toBe(key)
    const { api } = createAgio({ url, apiKey: rotated.key })
    expect((await api.pools.list.query()).pools).not.toEqual([])
    const { revokedAt } = await admin.keys.revoke.mutate({ id })
    const { keys } = await admin.keys.list.query()
    expect(keys.find((one) => one.id === id)).toMatchObject({ name: 'Shop', revokedAt })
  })

  it('the admin client lists who changed a key and from where, and verifies the audit log', async () => {
    const { id } = await admin.keys.create.mutate(application)
    await createAgioAdmin({ url, adminKey: operatorKeys.keys }).keys.erase.mutate({ id })
    const { events } = await admin.audit.query({ target: id })
    const address = expect.stringMatching(/^(127\.0\.0\.1|::1)$/) as string
    expect(events).toMatchObject([
      { operator: 'keys-only', operation: 'admin.keys.erase', target: id, address },
      { operator: 'admin', operation: 'admin.keys.create', target: id, address },
    ])
    const { newest, fault, count } = await verifyAuditLog((page) => admin.audit.query(page))
    expect({ fault, count }).toEqual({ fault: undefined, count: newest.position })
    expect(newest.position).toBeGreaterThanOrEqual(events[0]?.position ?? Infinity)
  })

  it('the audit log has the address that the trusted proxy reports, and the id of the request', async () => {
    const requestId = `audited-${crypto.randomUUID()}`
    const { body } = await request(`${url}/api/v1/admin/keys`, {
      method: 'POST',
      headers: {
        'x-admin-key': adminKey,
        'content-type': 'application/json',
        'x-request-id': requestId,
        'x-forwarded-for': '198.51.100.1, 2001:db8:1:2:3:4:5:6',
      },
      body: JSON.stringify(application),
    })
    const { data } = (await body.json()) as { readonly data: { readonly id: string } }
    const { events } = await admin.audit.query({ target: data.id })
    expect(events).toMatchObject([{ requestId, address: '2001:db8:1:2:3:4:5:6' }])
  })

  it('error: the admin client with another key is svc/unauthorized', async () => {
    const error = await createAgioAdmin({ url, adminKey: 'not-the-admin-key' })
      .stats.query()
      .catch((thrown: unknown) => thrown)
    expect(isAgioError(error) && error.code).toBe('svc/unauthorized')
  })
})
