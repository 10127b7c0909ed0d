import { readdirSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { inspect } from 'node:util'
import { openStore } from '@agio/store'
import { describe, expect, it } from 'vitest'
import { createDatabase } from '../harness/createDatabase.ts'
import { findFreePort } from '../harness/findFreePort.ts'
import { describeWith, postgresUrl } from '../harness/findServices.ts'
import { eventually } from '../harness/timeLimits.ts'
import { createTestLog } from './createTestLog.ts'
import { createFolder } from './listDatabases.ts'
import { actor, shop } from './shop.ts'

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
