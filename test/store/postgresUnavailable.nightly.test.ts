import { openStore, type Store } from '@agio/store'
import { Client } from 'pg'
import { it } from 'vitest'
import { createDatabase } from '../harness/createDatabase.ts'
import { eventually } from '../harness/timeLimits.ts'
import { describeWith } from '../harness/findServices.ts'
import { startPostgres } from '../harness/startPostgres.ts'
import { startTcpProxy } from '../harness/startTcpProxy.ts'
import { createTestLog, type TestLog } from './createTestLog.ts'
import { actor, shop } from './shop.ts'

const month = '2026-01'
const nowMs = Date.UTC(2026, 0, 15)
const unavailable = { code: 'svc/storage-unavailable' }

type Opened = AsyncDisposable & { readonly store: Store; readonly log: TestLog }

async function open(url: string): Promise<Opened> {
  const log = createTestLog()
  const store = await openStore({ location: { url }, log, now: () => nowMs })
  return { store, log, [Symbol.asyncDispose]: () => store.close() }
}

const describeOwn = await describeWith(['PostgreSQL binaries'], 'a PostgreSQL that stops or hangs')

describeOwn.concurrent('a PostgreSQL that stops or hangs', () => {
  it('a PostgreSQL that stops loses no count, and cached keys keep working', async ({ expect }) => {
    await using server = await startPostgres()
    await using opened = await open(server.url)
    const { store, log } = opened
    const [known, unknown] = [await store.keys.create(shop, actor), await store.keys.create(shop, actor)]
    await store.keys.find(known.secret)
    store.usage.count(known.key.id, 'pools.list')
    await server.stop('fast')
    for (let count = 0; count < 100; count += 1) store.usage.count(known.key.id, 'pools.list')
    await expect.poll(() => store.state(), eventually).toBe('unreachable')

    expect(store.keys.findCached(known.secret)).toMatchObject({ key: { id: known.key.id }, status: 'active' })
    expect(await store.keys.find(known.secret)).toMatchObject({ key: { id: known.key.id }, status: 'active' })
    for (const call of [
      () => store.keys.find(unknown.secret),
      () => store.keys.create(shop, actor),
      () => store.keys.list({ page: 1, limit: 20 }),
      () => store.keys.rotate(known.key.id, 60, actor),
      () => store.keys.revoke(known.key.id, actor),
      () => store.usage.flush(),
      () => store.usage.readCalls(known.key.id, month),
      () => store.usage.readTotals(month),
      () => store.usage.readLastUsed([known.key.id]),
    ]) {
      await expect(call(), call.toString()).rejects.toMatchObject(unavailable)
    }
    store.usage.count(known.key.id, 'pools.list')
    expect(store.usage.countUnwritten()).toBeGreaterThanOrEqual(101)

    await server.start()
    await expect.poll(() => store.state(), eventually).not.toBe('unreachable')
    await expect.poll(() => store.usage.countUnwritten(), eventually).toBe(0)
    await using control = await open(server.url)
    expect(await control.store.usage.readCalls(known.key.id, month)).toBe(102)
    expect((await store.keys.find(unknown.secret))?.status).toBe('active')
    expect(log.errors().toSorted()).toEqual([
      'cannot write usage: it stays in memory until a retry succeeds',
      'the database is unavailable: only cached keys work',
    ])
  })

  it('counting continues while PostgreSQL hangs, and the sums are exact once it answers again', async ({ expect }) => {
    await using server = await startPostgres()
    await using opened = await open(server.url)
    const { store, log } = opened
    const { key, secret } = await store.keys.create(shop, actor)
    await store.keys.find(secret)
    store.usage.count(key.id, 'pools.list')
    await store.usage.flush()
    await server.pause()
    let counted = 1
    const count = () => {
      store.usage.count(key.id, 'pools.list')
      counted += 1
    }
    // A write in flight may or may not have been committed before the pause.
    await expect
      .poll(() => (count(), log.errors()), eventually)
      .toContain('cannot write usage: it stays in memory until a retry succeeds')
    await expect.poll(() => (count(), store.state()), eventually).toBe('unreachable')
    expect(store.keys.findCached(secret)?.status).toBe('active')
    expect(store.usage.countUnwritten()).toBe(counted - 1)
    await server.resume()
    await expect.poll(() => store.usage.countUnwritten(), eventually).toBe(0)
    await expect.poll(() => store.state(), eventually).not.toBe('unreachable')
    await using control = await open(server.url)
    expect(await control.store.usage.readCalls(key.id, month)).toBe(counted)
  })

  it('changes that fail while PostgreSQL hangs leave every connection usable afterwards', async ({ expect }) => {
    await using server = await startPostgres()
    await using opened = await open(server.url)
    const { store } = opened
    const { key, secret } = await store.keys.create(shop, actor)
    // The pool at its maximum size, all connections open and idle.
    await Promise.all(Array.from({ length: 20 }, (_, index) => store.keys.find(`unknown ${index}`)))
    await server.pause()
    const changes = Array.from({ length: 20 }, () => store.keys.rotate(key.id, 60, actor))
    const outcomes = await Promise.allSettled(changes)
    await server.resume()
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: unavailable })
    await expect.poll(() => store.state(), eventually).not.toBe('unreachable')
    store.usage.count(key.id, 'pools.list')
    await store.usage.flush()
    await using control = await open(server.url)
    expect(await control.store.usage.readCalls(key.id, month)).toBe(1)
    const found = await Promise.all(Array.from({ length: 20 }, () => store.keys.find(secret)))
    expect(found[0]?.status).toBe('active')
    expect((await store.keys.rotate(key.id, 0, actor)).key.id).toBe(key.id)
  })

  it('a change that a crash of PostgreSQL interrupts fails, and succeeds once the server is back', async ({
    expect,
  }) => {
    await using server = await startPostgres()
    await using opened = await open(server.url)
    const { store } = opened
    const { key, secret } = await store.keys.create(shop, actor)
    const other = new Client({ connectionString: server.url })
    other.on('error', () => {})
    await other.connect()
    await other.query('begin')
    await other.query('select from api_keys for update')
    const rotated = expect(store.keys.rotate(key.id, 60, actor)).rejects.toMatchObject(unavailable)
    const isWaiting = `select from pg_stat_activity where wait_event_type = 'Lock'`
    await expect.poll(async () => (await other.query(isWaiting)).rowCount, eventually).toBe(1)
    await server.stop('immediate')
    await rotated
    await server.start()
    await expect.poll(() => store.state(), eventually).not.toBe('unreachable')
    expect((await store.keys.find(secret))?.status).toBe('active')
    expect((await store.keys.rotate(key.id, 60, actor)).key.id).toBe(key.id)
  })
})

const describePostgres = await describeWith(['PostgreSQL'], 'a connection that breaks before the answer')

describePostgres.concurrent('a connection that breaks between a commit and its answer', () => {
  it('a connection that breaks between a commit and its answer leaves every call counted once', async ({ expect }) => {
    await using database = await createDatabase()
    await using proxy = await startTcpProxy(database.url)
    await using opened = await open(proxy.url)
    const { store, log } = opened
    const readCalls = async () =>
      Number((await database.query<{ calls: string }>('select sum(calls) as calls from usage'))[0]?.calls)
    for (const round of [1, 2, 3]) {
      const unanswered = proxy.keepAnswer('insert into "usage"')
      store.usage.count('key_counted', 'pools.list', 5)
      const { breakOff } = await unanswered
      expect(await readCalls()).toBe(7 * (round - 1) + 5)
      store.usage.count('key_counted', 'pools.list', 2)
      breakOff()
      await expect.poll(() => store.usage.countUnwritten(), eventually).toBe(0)
      expect(await readCalls()).toBe(7 * round)
      expect(log.errors()).toHaveLength(round)
    }
  })
})
