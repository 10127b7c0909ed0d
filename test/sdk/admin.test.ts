import { describe, expect, inject, it } from 'vitest'
import { createAgioAdmin, isAgioError } from '../../packages/sdk/src/admin.ts'
import { createAgio } from '../../packages/sdk/src/index.ts'
import { adminKey } from '../harness/settingsFor.ts'

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

  it('error: the admin client with another key is svc/unauthorized', async () => {
    const error = await createAgioAdmin({ url, adminKey: 'not-the-admin-key' })
      .stats.query()
      .catch((thrown: unknown) => thrown)
    expect(isAgioError(error) && error.code).toBe('svc/unauthorized')
  })
})
