import { describe, expect, inject, it } from 'vitest'
import { createAdminClient } from '../harness/createAdminClient.ts'
import { createRestCaller } from '../harness/createRestCaller.ts'

describe.each(inject('runtimes'))('keys that rotate on $name', ({ url }) => {
  const admin = createAdminClient(url)
  const rotate = async (apiKey: string, overlapSeconds: number, headers: Readonly<Record<string, string>> = {}) => {
    const { data, failure } = await createRestCaller({ url, apiKey, headers })('keys.rotate', { overlapSeconds })
    return { ...(data as RotatedKey), code: failure?.code }
  }
  type RotatedKey = Readonly<Record<'id' | 'key' | 'oldKeysExpireAt', string>>
  const statusOf = async (secret: string) => (await createRestCaller({ url, apiKey: secret })('pools.list', {})).status
  const statusesOf = (...secrets: readonly string[]) => Promise.all(secrets.map(statusOf))

  it('keys.rotate returns a new secret, and the old one works until the overlap ends', async () => {
    const { id, key } = await admin.issueWith({ scopes: ['read', 'rotate'] })
    const first = await rotate(key, 3600)
    expect(first).toMatchObject({ id, key: expect.stringMatching(/^agio_sk_/) })
    expect(await statusesOf(key, first.key)).toEqual([200, 200])
    const second = await rotate(first.key, 0)
    expect(await statusesOf(key, first.key, second.key)).toEqual([403, 403, 200])
  })

  it('a replaced secret can rotate until a newer secret is used, and ends no other secret', async () => {
    const { key } = await admin.issueWith({ scopes: ['read', 'rotate'] })
    const lost = await rotate(key, 3600)
    const second = await rotate(key, 0)
    expect(second.oldKeysExpireAt).toBe(lost.oldKeysExpireAt)
    expect(await statusesOf(second.key)).toEqual([200])
    expect((await rotate(key, 0)).code).toBe('svc/key-revoked')
    expect(await statusesOf(key, lost.key, second.key)).toEqual([200, 200, 200])
    // The owner of the secret of the repeated rotation cannot end the secret of the first one.
    const third = await rotate(second.key, 0)
    expect(await statusesOf(key, second.key, lost.key, third.key)).toEqual([403, 403, 200, 200])
  })

  it('a secret that an operator has replaced cannot rotate', async () => {
    const { id, key } = await admin.issueWith({ scopes: ['read', 'rotate'] })
    const lost = await rotate(key, 3600)
    const replaced = await admin.rotate(id)
    for (const old of [key, lost.key]) expect((await rotate(old, 0)).code).toBe('svc/key-revoked')
    expect(await statusesOf(key, lost.key, replaced.key)).toEqual([200, 200, 200])
  })

  it('a rotation that is repeated with its idempotency key returns the same secret', async () => {
    const { key } = await admin.issueWith({ scopes: ['read', 'rotate'] })
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const first = await rotate(key, 3600, headers)
    expect(await statusesOf(first.key)).toEqual([200])
    expect(await rotate(key, 3600, headers)).toEqual(first)
  })

  it('a new key has all scopes but rotate, unless its scopes are chosen', async () => {
    const { id, key } = await admin.issueWith({})
    const { data } = await createRestCaller({ url, apiKey: key })('keys.self', {})
    expect(data).toMatchObject({ scopes: ['read', 'build', 'broadcast', 'webhooks', 'usage', 'faucet'] })
    expect((await rotate(key, 0)).code).toBe('svc/forbidden-scope')
    await admin.update(id, { scopes: null })
    expect((await rotate(key, 0)).code).toBeUndefined()
  })
})
