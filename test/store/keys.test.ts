import { createHash } from 'node:crypto'
import type { Keys } from '@agio/store'
import { createKeys } from '@agio/store/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { partOf } from '../harness/partOf.ts'
import { dumpDatabase } from './dumpDatabase.ts'
import { listDatabases, setUpDatabase } from './listDatabases.ts'
import { actor, shop } from './shop.ts'

const databases = partOf(await listDatabases('keys'))
const firstPage = { page: 1, limit: 1000 }

describe.each(databases)('keys on $name', ({ create }) => {
  const database = setUpDatabase(create)
  let keys: Keys
  let nowMs = Date.UTC(2026, 0, 15)
  const now = () => nowMs
  const createOthers = (cacheSize?: number) => createKeys({ ...database, now, cacheSize })
  const statusOf = async (secret: string) => (await keys.find(secret))?.status

  beforeAll(() => {
    keys = createKeys({ ...database, now })
  })

  it('the pages of the keys together hold each key once, in the order of the whole list', async () => {
    // Created at the same time.
    await Promise.all([shop, shop, shop, shop, shop].map((one) => keys.create(one, actor)))
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
    const { key, secret } = await keys.create(shop, actor)
    const rotated = await keys.rotate(key.id, 60, actor)
    const given = `given-${crypto.randomUUID()}-secret`
    await keys.ensure({ ...shop, id: `key_${crypto.randomUUID()}`, secret: given })
    const dump = await dumpDatabase(database.db)
    for (const stored of [secret, rotated.secret, given]) {
      expect(dump).toContain(createHash('sha256').update(stored).digest('hex'))
      expect(dump).not.toContain(stored)
      expect(dump).not.toContain(stored.slice(0, 17))
      expect(dump).not.toContain(stored.slice(-12))
    }
  })

  it('a string that is not a secret finds no key', async () => {
    const { key, secret } = await keys.create(shop, actor)
    const hash = createHash('sha256').update(secret).digest('hex')
    const guesses = ['', ' ', key.id, key.prefix, hash, secret.slice(0, -1), `${secret} `, secret.toUpperCase(), "'--"]
    for (const guess of guesses) expect(await keys.find(guess), guess).toBeUndefined()
  })

  it('a cached key that another process changed is read again, so that it works while the database is unreachable', async () => {
    const { key, secret } = await keys.create(shop, actor)
    await keys.find(secret)
    const { time } = await keys.refreshChanged()
    await createOthers().update(key.id, { scopes: ['read'] }, actor)
    const { changes } = await keys.refreshChanged(time)
    expect([...changes.keys()]).toContain(key.id)
    expect(keys.findCached(secret)).toMatchObject({ key: { restrictions: { scopes: ['read'] } }, status: 'active' })
  })

  it('after a rotation the old secret works until the overlap ends, and the new one from now on', async () => {
    const { key, secret } = await keys.create(shop, actor)
    await keys.find(secret)
    const rotated = await keys.rotate(key.id, 3600, actor)
    expect(rotated.key).toMatchObject({ ...shop, id: key.id, prefix: rotated.secret.slice(0, 16) })
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
    const first = await keys.create(shop, actor)
    const second = await keys.rotate(first.key.id, 3600, actor)
    const third = await keys.rotate(first.key.id, 60, actor)
    const fourth = await keys.rotate(first.key.id, 600, actor)
    nowMs += 60_000
    const statuses = () => Promise.all([first, second, third, fourth].map(({ secret }) => statusOf(secret)))
    expect(await statuses()).toEqual(['rotated', 'rotated', 'active', 'active'])
    nowMs += 540_000
    expect(await statuses()).toEqual(['rotated', 'rotated', 'rotated', 'active'])
    expect((await keys.list(firstPage)).keys.filter(({ id }) => id === first.key.id)).toHaveLength(1)
  })

  it('the restrictions of a key are stored, found by its secret, changed and removed', async () => {
    const expiresAt = new Date(nowMs + 60_000)
    const restrictions = {
      scopes: ['read', 'usage'],
      expiresAt,
      allowedCidrs: ['203.0.113.0/24'],
      isCidrDryRun: true,
      allowedOrigins: ['https://shop.example'],
    } as const
    const { key, secret } = await keys.create({ ...shop, ...restrictions }, actor)
    expect(key).toMatchObject(restrictions)
    expect(await keys.get(key.id)).toMatchObject(restrictions)
    expect((await keys.find(secret))?.key.restrictions).toEqual(restrictions)
    const updated = await keys.update(
      key.id,
      { name: 'Other', company: null, scopes: ['build'], allowedCidrs: null },
      actor,
    )
    expect(updated).toMatchObject({ ...shop, name: 'Other', company: undefined, scopes: ['build'], expiresAt })
    expect(updated.allowedCidrs).toBeUndefined()
    expect(keys.findCached(secret)).toBeUndefined()
    expect((await keys.find(secret))?.key).toMatchObject({ name: 'Other', restrictions: { scopes: ['build'] } })
    await keys.update(key.id, { scopes: null, expiresAt: null, allowedOrigins: null }, actor)
    expect((await keys.find(secret))?.key.restrictions).toBeUndefined()
  })

  it('a key with all of its secrets expires, and works again with a later expiry', async () => {
    const { key, secret } = await keys.create({ ...shop, expiresAt: new Date(nowMs + 60_000) }, actor)
    const rotated = await keys.rotate(key.id, 3600, actor)
    const statuses = () => Promise.all([statusOf(secret), statusOf(rotated.secret)])
    nowMs += 59_999
    expect(await statuses()).toEqual(['active', 'active'])
    nowMs += 1
    expect(await statuses()).toEqual(['expired', 'expired'])
    await keys.update(key.id, { expiresAt: new Date(nowMs + 1000) }, actor)
    expect(await statuses()).toEqual(['active', 'active'])
  })

  it('a publishable key has only the scope read, even if others are stored, and stays publishable after a rotation', async () => {
    const { key, secret } = await keys.create(
      {
        ...shop,
        kind: 'publishable',
        allowedOrigins: ['https://shop.example'],
      },
      actor,
    )
    expect(secret).toMatch(/^agio_pk_[0-9A-Za-z]{57}$/)
    expect(key).toMatchObject({ kind: 'publishable', prefix: secret.slice(0, 16) })
    await keys.update(key.id, { scopes: ['read', 'broadcast'] }, actor)
    expect((await keys.find(secret))?.key.restrictions?.scopes).toEqual(['read'])
    expect((await keys.rotate(key.id, 0, actor)).secret).toMatch(/^agio_pk_/)
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
    const issued = await Promise.all(Array.from({ length: 20 }, () => keys.create(shop, actor)))
    for (const _ of 'twice') {
      for (const { key, secret } of issued) expect((await few.find(secret))?.key.id).toBe(key.id)
    }
    expect(issued.filter(({ secret }) => few.findCached(secret))).toHaveLength(3)
    await few.revoke(issued[0]?.key.id ?? '', actor)
    expect((await few.find(issued[0]?.secret ?? ''))?.status).toBe('revoked')
  })
})
