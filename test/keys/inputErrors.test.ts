import { request } from 'undici'
import { describe, expect, inject, it } from 'vitest'
import { createAgioAdmin } from '../../packages/sdk/src/admin.ts'
import { expectDocumented } from '../harness/openApi.ts'
import { adminKey } from '../harness/settingsFor.ts'

const wrong = { name: 'Shop', email: 'shop', tier: 'gold', extra: 1, more: 2 }
const fields = ['email', 'useCase', 'expectedVolume', 'tier', 'extra', 'more']

describe.each(inject('runtimes'))('refused fields on $name', ({ url }) => {
  async function send(path: string, input: object): Promise<Readonly<Record<string, unknown>>> {
    const headers = { 'content-type': 'application/json', 'x-admin-key': adminKey, 'x-api-key': 'local-key' }
    const response = await request(`${url}/${path}`, { method: 'POST', headers, body: JSON.stringify(input) })
    expect(response.statusCode).toBe(400)
    return (await response.body.json()) as Readonly<Record<string, unknown>>
  }

  it('a key with several wrong fields is refused once with all of them, over REST, tRPC and the SDK', async () => {
    const body = await send('api/v1/admin/keys', wrong)
    expectDocumented('admin.keys.create', 400, body)
    const errors = body['errors'] as readonly { readonly field: string; readonly message: string }[]
    expect(errors.map(({ field }) => field)).toEqual(fields)
    expect(body).toMatchObject({ field: 'email', error: `svc/invalid-request: ${errors[0]?.message}` })
    expect(await send('trpc/admin.keys.create', wrong)).toMatchObject({ error: { data: { field: 'email', errors } } })
    const { keys } = createAgioAdmin({ url, adminKey })
    await expect(keys.create.mutate(wrong as never)).rejects.toMatchObject({ details: { field: 'email', errors } })
  })

  it('an error lists at most 20 fields', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`extra${index}`, index]))
    const { errors } = await send('api/v1/admin/keys', { ...wrong, ...unknown })
    expect(errors).toHaveLength(20)
  })
})
