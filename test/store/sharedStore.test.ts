import { openStore, type Store } from '@agio/store'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDatabase } from '../harness/createDatabase.ts'
import { eventually } from '../harness/timeLimits.ts'
import { describeWith } from '../harness/findServices.ts'
import { setUp } from '../harness/setUp.ts'
import { startTcpProxy } from '../harness/startTcpProxy.ts'
import { createTestLog } from './createTestLog.ts'
import { actor, shop } from './shop.ts'

const describePostgres = await describeWith(['PostgreSQL'], 'keys and quotes that several processes share')

// Each process polls once a second, which the unit test of the poll proves. Here only that the change arrives counts.

describePostgres('keys and quotes that several processes share', () => {
  const database = setUp(createDatabase)
  const proxy = setUp(() => startTcpProxy(database.url))
  const log = createTestLog()
  let one: Store
  let other: Store
  const open = (url: string) => openStore({ location: { url }, log })
  const pair = { chainId: 84532, tokens: ['0xaaa', '0xbbb'] } as const
  beforeAll(async () => {
    one = await open(database.url)
    other = await open(proxy.url)
  })
  afterAll(async () => {
    await one.close()
    await other.close()
  })

  it('every process accepts a new key at once, and applies each change of a key that it has in memory', async () => {
    const { key, secret } = await one.keys.create(shop, actor)
    expect(await other.keys.find(secret)).toMatchObject({ key: { id: key.id }, status: 'active' })
    const origin = 'https://shared.example'
    await one.keys.update(key.id, { scopes: ['read'], allowedOrigins: [origin] }, actor)
    const restrictions = async () => (await other.keys.find(secret))?.key.restrictions
    await expect.poll(restrictions, eventually).toMatchObject({ scopes: ['read'], allowedOrigins: [origin] })
    await expect.poll(() => other.keys.hasOrigin(origin), eventually).toBe(true)
    const rotated = await one.keys.rotate(key.id, 0, actor)
    expect((await other.keys.find(rotated.secret))?.status).toBe('active')
    await expect.poll(async () => (await other.keys.find(secret))?.status, eventually).toBe('rotated')
    await one.keys.revoke(key.id, actor)
    expect((await one.keys.find(rotated.secret))?.status).toBe('revoked')
    await expect.poll(async () => (await other.keys.find(rotated.secret))?.status, eventually).toBe('revoked')
  })

  it('origins and webhooks are not read again while nothing changes, and each change reaches the other processes', async () => {
    await using place = await createDatabase()
    await using quiet = await startTcpProxy(place.url)
    const writer = await open(place.url)
    const reader = await open(quiet.url)
    try {
      const sent = quiet.record()
      const text = () => Buffer.concat(sent).toString('latin1')
      await expect.poll(() => text().split('now()::text').length, eventually).toBeGreaterThan(3)
      expect(/from "webhooks"|select "allowed_origins"/.exec(text())?.[0]).toBeUndefined()
      const origin = 'https://quiet.example'
      const { key } = await writer.keys.create({ ...shop, allowedOrigins: [origin] }, actor)
      await expect.poll(() => reader.keys.hasOrigin(origin), eventually).toBe(true)
      const isFollowed = () => reader.webhooks.followsTransactions(key.id)
      const create = () =>
        writer.webhooks.create(key.id, { url: 'https://shop.example', events: ['transaction.included'] })
      const { id } = await create()
      await expect.poll(isFollowed, eventually).toBe(true)
      await writer.webhooks.remove(key.id, id)
      await expect.poll(isFollowed, eventually).toBe(false)
      const { id: failing } = await create()
      await expect.poll(isFollowed, eventually).toBe(true)
      await place.query(`insert into webhook_deliveries (id, webhook_id, subject, type, payload)
        values ('msg_1', '${failing}', 'a', 'transaction.included', '{}')`)
      const [delivery] = await writer.webhooks.deliveries.claim({ limit: 1, leaseMs: 60_000 })
      if (delivery) await writer.webhooks.deliveries.finish(delivery, { outcome: 'gone', status: 410 })
      await expect.poll(isFollowed, eventually).toBe(false)
      await writer.webhooks.replay(key.id, failing, {})
      await expect.poll(isFollowed, eventually).toBe(true)
      await writer.keys.revoke(key.id, actor)
      await expect.poll(() => reader.keys.hasOrigin(origin), eventually).toBe(false)
      await expect.poll(isFollowed, eventually).toBe(false)
    } finally {
      await writer.close()
      await reader.close()
    }
  })

  it('of concurrent rotations each replaces the secret of the one before it', async () => {
    const { key } = await one.keys.create(shop, actor)
    const rotated = await Promise.all([one, other, one, other].map(({ keys }) => keys.rotate(key.id, 60, actor)))
    const secrets = await database.query<{ expires: boolean }>(
      `select expires_at is not null as expires from api_secrets where key_id = '${key.id}'`,
    )
    expect(secrets.filter(({ expires }) => !expires)).toHaveLength(1)
    expect(secrets).toHaveLength(1 + rotated.length)
    const { id, secret: first } = await one.webhooks.create(key.id, { url: 'https://shop.example', events: [] })
    const next = await Promise.all([one, other].map(({ webhooks }) => webhooks.rotate(key.id, id)))
    const [stored] = await database.query<{ secret: string; old_secret: string }>(
      `select secret, old_secret from webhooks where id = '${id}'`,
    )
    expect(new Set([stored?.secret, stored?.old_secret])).toEqual(new Set(next.map(({ secret }) => secret)))
    expect(stored?.old_secret).not.toBe(first)
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

  it('a rotated secret reaches the memory of the other processes before it signs', async () => {
    const before = one.quoteSecrets.current()
    const { id } = await one.quoteSecrets.rotate(actor)
    // From memory: a promise would be a look-up.
    await expect.poll(() => other.quoteSecrets.find(id), eventually).toMatchObject({ id })
    expect(other.quoteSecrets.current().id).toBe(before.id)
    expect(other.quoteSecrets.find(before.id)).toMatchObject({ id: before.id, secret: before.secret })
    // As if the minute had passed for the database.
    await database.query(`update quote_secrets set signs_from = signs_from - interval '1 minute'`)
    for (const { quoteSecrets } of [one, other]) {
      await expect.poll(() => quoteSecrets.current().id, eventually).toBe(id)
    }
  })

  it('a pause of quotes reaches the other processes, and so does its end', async () => {
    await one.quotePauses.pause(pair, actor)
    await expect.poll(() => other.quotePauses.isPaused(pair), eventually).toBe(true)
    await one.quotePauses.resume(pair, actor)
    await expect.poll(() => other.quotePauses.isPaused(pair), eventually).toBe(false)
  })

  it('while the database is unavailable known secrets sign and verify from memory, and pauses hold', async () => {
    const { quoteSecrets, quotePauses, state } = other
    await quotePauses.pause(pair, actor)
    const current = quoteSecrets.current()
    await proxy.cut()
    await expect.poll(() => state(), eventually).toBe('unreachable')
    expect(quoteSecrets.current()).toEqual(current)
    expect(quoteSecrets.find(current.id)).toEqual(current)
    expect(quotePauses.isPaused(pair)).toBe(true)
    const unavailable = { code: 'svc/storage-unavailable' }
    for (const call of [
      async () => await quoteSecrets.find('unknown-id-1'),
      async () => await quoteSecrets.find('unknown-id-2'),
      () => quoteSecrets.rotate(actor),
      () => quotePauses.resume(pair, actor),
      () => quotePauses.list(),
    ]) {
      await expect(call(), call.toString()).rejects.toMatchObject(unavailable)
    }
    await proxy.restore()
    const { id } = await one.quoteSecrets.rotate(actor)
    expect(id).not.toBe(current.id)
    await expect.poll(() => state(), eventually).toBe('ok')
    expect(await quoteSecrets.find(id)).toMatchObject({ id })
    expect(log.entries.length).toBeGreaterThan(0)
    for (const { secret } of [current, quoteSecrets.current()]) {
      for (const form of ['base64', 'base64url', 'hex'] as const) {
        expect(log.dump()).not.toContain(Buffer.from(secret).toString(form))
      }
    }
  })
})
