import { openStore, type Store } from '@agio/store'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDatabase, type TestDatabase } from '../harness/createDatabase.ts'
import { eventually } from '../harness/timeLimits.ts'
import { describeWith } from '../harness/findServices.ts'
import { startTcpProxy, type TcpProxy } from '../harness/startTcpProxy.ts'
import { createTestLog } from './createTestLog.ts'
import { actor, shop } from './shop.ts'

const describePostgres = await describeWith(['PostgreSQL'], 'keys that several processes share')

// Each process polls once a second, which the unit test of the poll proves. Here only that the change arrives counts.

describePostgres('keys that several processes share', () => {
  let database: TestDatabase
  let proxy: TcpProxy
  let one: Store
  let other: Store
  const open = (url: string) => openStore({ location: { url }, log: createTestLog() })
  beforeAll(async () => {
    database = await createDatabase()
    proxy = await startTcpProxy(database.url)
    one = await open(database.url)
    other = await open(proxy.url)
  })
  afterAll(async () => {
    await one.close()
    await other.close()
    await proxy[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  })

  it('a key works in every process as soon as it is issued', async () => {
    const { key, secret } = await one.keys.create(shop, actor)
    expect(await other.keys.find(secret)).toMatchObject({ key: { id: key.id }, status: 'active' })
  })

  it('a revocation reaches the other processes, although they have the key in memory', async () => {
    const { key, secret } = await one.keys.create(shop, actor)
    expect((await other.keys.find(secret))?.status).toBe('active')
    await one.keys.revoke(key.id, actor)
    expect((await one.keys.find(secret))?.status).toBe('revoked')
    await expect.poll(async () => (await other.keys.find(secret))?.status, eventually).toBe('revoked')
  })

  it('a rotation reaches the other processes', async () => {
    const { key, secret } = await one.keys.create(shop, actor)
    expect((await other.keys.find(secret))?.status).toBe('active')
    const rotated = await one.keys.rotate(key.id, 0, actor)
    expect((await other.keys.find(rotated.secret))?.status).toBe('active')
    await expect.poll(async () => (await other.keys.find(secret))?.status, eventually).toBe('rotated')
  })

  it('changed restrictions and origins reach the other processes', async () => {
    const { key, secret } = await one.keys.create(shop, actor)
    expect((await other.keys.find(secret))?.key.restrictions).toBeUndefined()
    const origin = 'https://shared.example'
    await one.keys.update(key.id, { scopes: ['read'], allowedOrigins: [origin] }, actor)
    const restrictions = async () => (await other.keys.find(secret))?.key.restrictions
    await expect.poll(restrictions, eventually).toMatchObject({ scopes: ['read'], allowedOrigins: [origin] })
    await expect.poll(() => other.keys.hasOrigin(origin), eventually).toBe(true)
  })

  it('a key that was read before its revocation and cached after it becomes revoked', async () => {
    const { key, secret } = await one.keys.create(shop, actor)
    const kept = proxy.keepAnswer('from "api_secrets"')
    const finding = other.keys.find(secret)
    const { pass } = await kept
    await one.keys.revoke(key.id, actor)
    pass()
    expect((await finding)?.status).toBe('active')
    await expect.poll(() => other.keys.findCached(secret)?.status, eventually).not.toBe('active')
    expect((await other.keys.find(secret))?.status).toBe('revoked')
  })

  it('keys that are looked up while they are revoked become revoked', async () => {
    const issued = await Promise.all(Array.from({ length: 50 }, () => one.keys.create(shop, actor)))
    await Promise.all(issued.flatMap(({ key, secret }) => [one.keys.revoke(key.id, actor), other.keys.find(secret)]))
    const countActive = () => issued.filter(({ secret }) => other.keys.findCached(secret)?.status === 'active').length
    await expect.poll(countActive, eventually).toBe(0)
    const statuses = await Promise.all(issued.map(async ({ secret }) => (await other.keys.find(secret))?.status))
    expect(new Set(statuses)).toEqual(new Set(['revoked']))
  })

  it('a secret is looked up by the primary key, however many secrets there are', async () => {
    await database.query(`
      insert into api_keys (id, name, email, use_case, expected_volume, tier, created_at)
      select 'many_' || n, 'Many', 'many@shop.example', 'none', 'none', 'sandbox', now() from generate_series(1, 20000) n`)
    await database.query(`
      insert into api_secrets (hash, key_id, prefix, created_at)
      select encode(sha256(('many ' || n)::bytea), 'hex'), 'many_' || n, 'many', now() from generate_series(1, 20000) n`)
    await database.query('analyze')
    // A look-up of one secret, with a value for its parameter. The connection may have sent another statement since.
    let [statement, count] = [undefined as string | undefined, 0]
    while (statement === undefined) {
      count += 1
      expect((await one.keys.find(`many ${count}`))?.key.id).toBe(`many_${count}`)
      const [sent] = await database.query<{ query: string }>(
        `select query from pg_stat_activity where datname = current_database() and query like 'select%from "api_secrets"%in ($1)'`,
      )
      statement = sent?.query.replace('$1', "'hash'")
    }
    const plan = JSON.stringify(await database.query(`explain (format json) ${statement}`), undefined, 1)
    expect(plan).toContain('"Index Name": "api_secrets_pkey"')
    expect(plan).toContain('"Index Name": "api_keys_pkey"')
    expect(plan).not.toContain('Seq Scan')
  })
})
