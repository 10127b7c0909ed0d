import { createHash } from 'node:crypto'
import type { Keys } from '@agio/store'
import { createKeys, openDatabase, type Database } from '@agio/store/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dumpDatabase } from './dumpDatabase.ts'
import { listDatabases, type TestLocation } from './listDatabases.ts'
import { shop } from './shop.ts'

const databases = await listDatabases('keys')
const firstPage = { page: 1, limit: 1000 }

describe.each(databases)('keys on $name', ({ create }) => {
  let place: TestLocation
  let database: Database
  let keys: Keys
  let nowMs = Date.UTC(2026, 0, 15)
  const now = () => nowMs
  const createOthers = (cacheSize?: number) => createKeys({ ...database, now, cacheSize })
  const statusOf = async (secret: string) => (await keys.find(secret))?.status

  beforeAll(async () => {
    place = await create()
    database = await openDatabase(place.location)
    keys = createKeys({ ...database, now })
  })
  afterAll(async () => {
    await database.close()
    await place[Symbol.asyncDispose]()
  })

  it('a key keeps every field of its application, and is found by its secret', async () => {
    const limits = { requests: 7, windowSeconds: 60, burstPerSecond: 2, monthlyQuota: 1000 }
    const { key, secret } = await keys.create({ ...shop, tier: 'production', limits })
    expect(key).toEqual({
      ...shop,
      tier: 'production',
      limits,
      id: expect.stringMatching(/^key_[\w-]{12}$/) as string,
      prefix: secret.slice(0, 11),
      createdAt: new Date(nowMs),
    })
    expect(secret).toMatch(/^agio_[\w-]{43}$/)
    expect((await keys.list(firstPage)).keys.find(({ id }) => id === key.id)).toEqual({ ...key, revokedAt: undefined })
    const found = { key: { id: key.id, name: 'Shop', tier: 'production', limits }, status: 'active' }
    expect(await keys.find(secret)).toEqual(found)
    expect(await createOthers().find(secret)).toEqual(found)
  })

  it('a key without company and limits is stored without them', async () => {
    const { company: _, ...application } = shop
    const { key, secret } = await keys.create(application)
    const listed = (await keys.list(firstPage)).keys.find(({ id }) => id === key.id)
    expect(listed).toMatchObject(application)
    expect(listed?.company).toBeUndefined()
    expect(listed?.limits).toBeUndefined()
    expect((await keys.find(secret))?.key.limits).toBeUndefined()
  })

  it('keys are listed newest first', async () => {
    const ids: string[] = []
    for (const _ of 'abcd') {
      nowMs += 1
      ids.unshift((await keys.create(shop)).key.id)
    }
    expect((await keys.list(firstPage)).keys.map(({ id }) => id).filter((id) => ids.includes(id))).toEqual(ids)
  })

  it('the pages of the keys together hold each key once, in the order of the whole list', async () => {
    // Created at the same time.
    await Promise.all([shop, shop, shop, shop, shop].map((one) => keys.create(one)))
    const all = await keys.list(firstPage)
    expect(all.total).toBe(all.keys.length)
    const pages = await Promise.all(
      Array.from({ length: Math.ceil(all.total / 2) }, (_, index) => keys.list({ page: index + 1, limit: 2 })),
    )
    expect(pages.flatMap((page) => page.keys)).toEqual(all.keys)
    expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([all.total]))
    expect(await keys.list({ page: 1000, limit: 1000 })).toEqual({ keys: [], total: all.total })
  })

  it('the database holds the SHA-256 and the first characters of a secret, and never the secret', async () => {
    const { key, secret } = await keys.create(shop)
    const rotated = await keys.rotate(key.id, 60)
    const given = `given-${crypto.randomUUID()}-secret`
    await keys.ensure({ ...shop, id: `key_${crypto.randomUUID()}`, secret: given })
    const dump = await dumpDatabase(database.db)
    for (const stored of [secret, rotated.secret, given]) {
      expect(dump).toContain(createHash('sha256').update(stored).digest('hex'))
      expect(dump).not.toContain(stored)
      expect(dump).not.toContain(stored.slice(0, 12))
      expect(dump).not.toContain(stored.slice(-12))
    }
  })

  it('a string that is not a secret finds no key', async () => {
    const { key, secret } = await keys.create(shop)
    const hash = createHash('sha256').update(secret).digest('hex')
    const guesses = ['', ' ', key.id, key.prefix, hash, secret.slice(0, -1), `${secret} `, secret.toUpperCase(), "'--"]
    for (const guess of guesses) expect(await keys.find(guess), guess).toBeUndefined()
  })

  it('a key that was found once is cached, and an unknown secret is not', async () => {
    const { key, secret } = await keys.create(shop)
    const others = createOthers()
    expect(others.findCached(secret)).toBeUndefined()
    const found = await others.find(secret)
    expect(others.findCached(secret)).toEqual(found)
    expect(found?.key.id).toBe(key.id)
    await others.find('unknown')
    expect(others.findCached('unknown')).toBeUndefined()
  })

  it('after a rotation the old secret works until the overlap ends, and the new one from now on', async () => {
    const { key, secret } = await keys.create(shop)
    await keys.find(secret)
    const rotated = await keys.rotate(key.id, 3600)
    expect(rotated.key).toMatchObject({ ...shop, id: key.id, prefix: rotated.secret.slice(0, 11) })
    expect(rotated.oldSecretsExpireAt).toEqual(new Date(nowMs + 3_600_000))
    nowMs += 3_599_999
    expect(await statusOf(secret)).toBe('active')
    nowMs += 1
    expect(await statusOf(secret)).toBe('rotated')
    expect(keys.findCached(secret)?.status).toBe('rotated')
    expect((await createOthers().find(secret))?.status).toBe('rotated')
    expect(await statusOf(rotated.secret)).toBe('active')
  })

  it('a rotation shortens earlier overlaps to its own, and extends none', async () => {
    const first = await keys.create(shop)
    const second = await keys.rotate(first.key.id, 3600)
    const third = await keys.rotate(first.key.id, 60)
    const fourth = await keys.rotate(first.key.id, 600)
    nowMs += 60_000
    const statuses = () => Promise.all([first, second, third, fourth].map(({ secret }) => statusOf(secret)))
    expect(await statuses()).toEqual(['rotated', 'rotated', 'active', 'active'])
    nowMs += 540_000
    expect(await statuses()).toEqual(['rotated', 'rotated', 'rotated', 'active'])
    expect((await keys.list(firstPage)).keys.filter(({ id }) => id === first.key.id)).toHaveLength(1)
  })

  it('a rotation without overlap ends the old secret at once', async () => {
    const { key, secret } = await keys.create(shop)
    expect(await statusOf(secret)).toBe('active')
    const rotated = await keys.rotate(key.id, 0)
    expect(await statusOf(secret)).toBe('rotated')
    expect(await statusOf(rotated.secret)).toBe('active')
  })

  it('of concurrent rotations one is the newest, and only its secret outlives the overlap', async () => {
    const { key, secret } = await keys.create(shop)
    const rotated = await Promise.all(Array.from({ length: 8 }, () => keys.rotate(key.id, 60)))
    nowMs += 60_000
    const statuses = await Promise.all([secret, ...rotated.map((one) => one.secret)].map(statusOf))
    expect(statuses.filter((status) => status === 'rotated')).toHaveLength(8)
    const newest = rotated[statuses.indexOf('active') - 1]
    const listed = (await keys.list(firstPage)).keys.filter(({ id }) => id === key.id)
    expect(listed.map(({ prefix }) => prefix)).toEqual([newest?.secret.slice(0, 11)])
  })

  it('a revocation ends every secret of a key at once, and a second revocation changes nothing', async () => {
    const { key, secret } = await keys.create(shop)
    const rotated = await keys.rotate(key.id, 60)
    expect(await statusOf(secret)).toBe('active')
    const revokedAt = new Date(nowMs)
    expect(await keys.revoke(key.id)).toMatchObject({ id: key.id, revokedAt })
    nowMs += 5000
    expect(await keys.revoke(key.id)).toMatchObject({ id: key.id, revokedAt })
    expect(await statusOf(secret)).toBe('revoked')
    expect(await statusOf(rotated.secret)).toBe('revoked')
    expect((await keys.list(firstPage)).keys.find(({ id }) => id === key.id)).toMatchObject({ revokedAt })
  })

  it('error: a revoked key cannot be rotated, and stays unchanged', async () => {
    const { key } = await keys.create(shop)
    const revoked = await keys.revoke(key.id)
    await expect(keys.rotate(key.id, 60)).rejects.toMatchObject({ code: 'svc/key-revoked' })
    expect((await keys.list(firstPage)).keys.find(({ id }) => id === key.id)).toEqual(revoked)
  })

  it('error: an unknown key can be neither rotated nor revoked', async () => {
    const id = `key_${'x'.repeat(300)}`
    for (const change of [() => keys.rotate(id, 60), () => keys.revoke(id)]) {
      const message = expect.not.stringContaining('x'.repeat(200)) as string
      await expect(change()).rejects.toMatchObject({ code: 'svc/not-found', message })
    }
  })

  it('ensuring a key creates it once, also concurrently, and changes no existing key', async () => {
    const id = `key_${crypto.randomUUID()}`
    const key = { ...shop, id, secret: `secret of ${id}` }
    await Promise.all(Array.from({ length: 8 }, () => createOthers().ensure(key)))
    await keys.ensure({ ...key, name: 'Another', secret: 'another' })
    const listed = (await keys.list(firstPage)).keys.filter((one) => one.id === id)
    expect(listed).toMatchObject([{ name: 'Shop', prefix: key.secret.slice(0, 11) }])
    expect((await keys.find(key.secret))?.key.id).toBe(id)
    expect(await keys.find('another')).toBeUndefined()
  })

  it('more keys than the cache holds are all found', async () => {
    const few = createOthers(3)
    const issued = await Promise.all(Array.from({ length: 20 }, () => keys.create(shop)))
    for (const _ of 'twice') {
      for (const { key, secret } of issued) expect((await few.find(secret))?.key.id).toBe(key.id)
    }
    expect(issued.filter(({ secret }) => few.findCached(secret))).toHaveLength(3)
    await few.revoke(issued[0]?.key.id ?? '')
    expect((await few.find(issued[0]?.secret ?? ''))?.status).toBe('revoked')
  })
})
