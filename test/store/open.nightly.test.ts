import { readdirSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { inspect } from 'node:util'
import { openStore, type Store } from '@agio/store'
import { describe, expect, it } from 'vitest'
import { createDatabase } from '../harness/createDatabase.ts'
import { findFreePort } from '../harness/findFreePort.ts'
import { describeWith, postgresUrl } from '../harness/findServices.ts'
import { eventually } from '../harness/timeLimits.ts'
import { createTestLog } from './createTestLog.ts'
import { createFolder, listDatabases } from './listDatabases.ts'
import { runSql, withDatabase } from './dumpDatabase.ts'
import { actor, shop } from './shop.ts'

const databases = await listDatabases('opening a store')
const january = Date.UTC(2026, 0, 15)
const firstPage = { page: 1, limit: 1000 }

describe.each(databases)('opening a store on $name', ({ create }) => {
  const open = (location: openStore.Options['location'], log = createTestLog()): Promise<Store> =>
    openStore({ location, log, now: () => january })

  /** Runs SQL on a database that no store has open. Returns the rows of all statements. */
  const execute = (location: openStore.Options['location'], ...statements: readonly string[]) =>
    withDatabase(location, async (db) => {
      const rows: object[] = []
      for (const statement of statements) rows.push(...(await runSql(db, statement)))
      return rows
    })

  it('a store that is opened again finds its keys and its usage', async () => {
    await using place = await create()
    const before = await open(place.location)
    const [kept, rotated, revoked] = await Promise.all([shop, shop, shop].map((one) => before.keys.create(one, actor)))
    if (!kept || !rotated || !revoked) throw new Error('Cannot go on: keys were not created')
    const newer = await before.keys.rotate(rotated.key.id, 60, actor)
    await before.keys.revoke(revoked.key.id, actor)
    before.usage.count(kept.key.id, 'pools.list', 3)
    before.usage.refuse(kept.key.id, 'pools.list')
    const listed = await before.keys.list(firstPage)
    await before.close()

    const log = createTestLog()
    const after = await open(place.location, log)
    expect(await after.keys.list(firstPage)).toEqual(listed)
    const secrets = [kept.secret, rotated.secret, newer.secret, revoked.secret]
    const found = await Promise.all(secrets.map((secret) => after.keys.find(secret)))
    expect(found.map((one) => one?.status)).toEqual(['active', 'active', 'active', 'revoked'])
    expect(await after.usage.readMonth('2026-01', [kept.key.id])).toEqual([
      {
        keyId: kept.key.id,
        month: '2026-01',
        operation: 'pools.list',
        calls: 3,
        refused: 1,
        lastCallAt: new Date(january),
      },
    ])
    expect((await after.usage.readLastUsed([kept.key.id])).get(kept.key.id)).toEqual(new Date(january))
    await after.close()
    expect(log.entries).toEqual([])
  })

  it('opening a store forgets the writers that have written nothing for thirty days, and no others', async () => {
    await using place = await create()
    await execute(
      place.location,
      `insert into usage_writers (id, batch, written_at) values
        ('old', 1, now() - interval '30 days 1 minute'), ('recent', 1, now() - interval '29 days 23 hours')`,
    )
    await (await open(place.location)).close()
    expect(await execute(place.location, 'select id from usage_writers')).toEqual([{ id: 'recent' }])
  })

  it('error: a schema that cannot be migrated is reported in one sentence, and the store leaves nothing open', async () => {
    await using place = await create()
    await execute(place.location, 'delete from drizzle.__drizzle_migrations')
    await expect(open(place.location)).rejects.toThrow(
      /^Cannot open the database [^:]+: its schema cannot be (?:read or )?migrated(?: \(SQLSTATE 42P07: [^()]+\))?$/,
    )
    await expect(open(place.location)).rejects.toThrow(
      /its schema cannot be (?:read or )?migrated(?: \(SQLSTATE 42P07: [^()]+\))?$/,
    )
  })
})

const describePostgres = await describeWith(['PostgreSQL'], 'opening one PostgreSQL database from many processes')

const migrations = readdirSync(new URL('../../packages/store/migrations', import.meta.url)).filter((file) =>
  file.endsWith('.sql'),
)

describePostgres('opening a PostgreSQL database', () => {
  it('ten stores can open an empty database concurrently, and its schema is created once', async () => {
    await using database = await createDatabase()
    const opening = Array.from({ length: 10 }, () =>
      openStore({ location: { url: database.url }, log: createTestLog() }),
    )
    const stores = await Promise.all(opening)
    const issued = await Promise.all(stores.map((store) => store.keys.create(shop, actor)))
    for (const store of stores) {
      for (const { key, secret } of issued) expect((await store.keys.find(secret))?.key.id).toBe(key.id)
    }
    expect(await database.query('select hash from drizzle.__drizzle_migrations')).toHaveLength(migrations.length)
    await Promise.all(stores.map((store) => store.close()))
  })

  it('a process that stands still twice for longer than the time-outs of PostgreSQL fails no call', async () => {
    await using database = await createDatabase()
    const store = await openStore({ location: { url: database.url }, log: createTestLog() })
    // More than the pool has connections: some are sent, others wait for a connection or for a free one.
    await Promise.all([1, 2, 3].map(() => store.keys.list({ page: 1, limit: 1 })))
    const lists = Array.from({ length: 15 }, () => store.keys.list({ page: 1, limit: 1 }))
    for (const ms of [5200, 2200]) {
      await nextTurn()
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
    }
    expect(await Promise.all(lists)).toEqual(lists.map(() => ({ keys: [], total: 0 })))
    await store.close()
  })

  it('a closed store leaves no connection to PostgreSQL open', async () => {
    await using database = await createDatabase()
    const store = await openStore({ location: { url: database.url }, log: createTestLog() })
    await Promise.all(Array.from({ length: 20 }, () => store.keys.find('unknown')))
    await store.close()
    const others = `select from pg_stat_activity where datname = '${database.name}' and pid <> pg_backend_pid()`
    await expect.poll(() => database.query(others)).toEqual([])
  })

  it('processes that share a database count each other, and no longer count one that is closed or silent', async () => {
    await using database = await createDatabase()
    const open = () => openStore({ location: { url: database.url }, log: createTestLog() })
    const one = await open()
    expect(one.countReplicas(), 'a process counts itself').toBe(1)
    const [two, three] = await Promise.all([open(), open()])
    for (const store of [one, two, three]) await expect.poll(() => store.countReplicas(), eventually).toBe(3)
    await three.close()
    for (const store of [one, two]) await expect.poll(() => store.countReplicas(), eventually).toBe(2)
    await database.query(`insert into replicas values ('killed a minute ago', now() - interval '1 minute')`)
    await database.query(`insert into replicas values ('just started', now() + interval '1 hour')`)
    for (const store of [one, two]) await expect.poll(() => store.countReplicas(), eventually).toBe(3)
    await Promise.all([one.close(), two.close()])
  })
})

describe('a PostgreSQL database that cannot be opened', () => {
  it('error: a PostgreSQL database that cannot be opened is reported in one sentence, without its URL or its password', async () => {
    const { hostname, port } = new URL(postgresUrl)
    const urls = [
      `postgres://agio:hunter2@127.0.0.1:${await findFreePort()}/agio`,
      `postgres://agio:hunter2@${hostname}:${port}/none-${crypto.randomUUID()}`,
      `postgres://unknown-${crypto.randomUUID()}:hunter2@${hostname}:${port}/postgres`,
      'postgres://agio:hunter2@none.invalid/agio',
      'postgres://agio:hunter2@127.0.0.1:port/agio',
      'postgres://agio:hunter2@[/agio',
      'postgres://agio:hunter2%@127.0.0.1:1/agio',
    ]
    for (const url of urls) {
      const error = await openStore({ location: { url }, log: createTestLog() }).catch((cause: unknown) => cause)
      const sentence = /^Cannot open the database of DATABASE_URL: .+[^.]$/
      expect(error, url).toMatchObject({ message: expect.stringMatching(sentence) as string })
      const all = inspect(error, { depth: null, showHidden: true })
      expect(all, url).not.toContain('hunter2')
      expect(all, url).not.toContain(url)
    }
  })
})

it('the only process of an embedded database counts itself', async () => {
  await using place = await createFolder()
  const store = await openStore({ location: { folder: place.folder }, log: createTestLog() })
  expect(store.countReplicas()).toBe(1)
  await store.close()
})
