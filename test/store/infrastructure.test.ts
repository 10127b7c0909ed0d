import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLimiter, openStore } from '@agio/store'
import { Client } from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { createDatabase } from '../harness/createDatabase.ts'
import { findFreePort } from '../harness/findFreePort.ts'
import { describeWith, getBinary } from '../harness/findServices.ts'
import { killOnExit } from '../harness/killOnExit.ts'
import { startPgBouncer } from '../harness/startPgBouncer.ts'
import { startRedis } from '../harness/startRedis.ts'
import { eventually } from '../harness/timeLimits.ts'
import { createTestLog } from './createTestLog.ts'
import { actor, shop } from './shop.ts'

const open = (url: string, migration?: openStore.Options['migration']) =>
  openStore({ location: { url }, log: createTestLog(), migration })

const migrationLock = 2_108_453_242
const advisoryLocks = `select from pg_locks join pg_database on oid = database
  where locktype = 'advisory' and datname = current_database()`

const describePooled = await describeWith(['PostgreSQL', 'PgBouncer'], 'PostgreSQL behind PgBouncer')

describePooled('PostgreSQL behind PgBouncer in transaction mode', () => {
  it('replicas create the schema, restart and share keys, and leave no lock behind', async () => {
    await using database = await createDatabase()
    await using bouncer = await startPgBouncer(database.url)
    for (let round = 0; round < 2; round += 1) {
      const stores = await Promise.all([1, 2, 3].map(() => open(bouncer.url)))
      const { secret, key } = await stores[0]!.keys.create(shop, actor)
      for (const store of stores) expect((await store.keys.find(secret))?.key.id).toBe(key.id)
      await Promise.all(stores.map((store) => store.close()))
      expect(await database.query(advisoryLocks)).toEqual([])
    }
  })

  it('the settings of the database and of other clients do not change the times of keys', async () => {
    await using database = await createDatabase()
    await database.query(`alter database ${database.name} set datestyle = 'German'`)
    await using bouncer = await startPgBouncer(database.url)
    const store = await open(bouncer.url)
    const { secret } = await store.keys.create({ ...shop, expiresAt: new Date('2027-01-12T00:00:00Z') }, actor)
    await using other = await connect(bouncer.url)
    await other.query(`set datestyle = 'SQL, DMY'`)
    expect((await store.keys.find(secret))?.key.restrictions?.expiresAt).toEqual(new Date('2027-01-12T00:00:00Z'))
    await store.close()
  })
})

describePooled('PostgreSQL behind PgBouncer in statement mode', () => {
  it('error: a start is refused with the reason, whether the schema exists or not', async () => {
    await using database = await createDatabase()
    await using bouncer = await startPgBouncer(database.url, 'statement')
    const reason = /SQLSTATE 08P01: transaction blocks not allowed in statement pooling mode/
    await expect(open(bouncer.url)).rejects.toThrow(reason)
    await (await open(database.url)).close()
    await expect(open(bouncer.url)).rejects.toThrow(reason)
  })
})

const describePostgres = await describeWith(['PostgreSQL'], 'a PostgreSQL with settings and rights of others')

describePostgres('a PostgreSQL with settings of others', () => {
  it('with other formats, time zones and encodings an expiry is read as it was written', async () => {
    await using database = await createDatabase()
    const settings = [
      `DateStyle = 'SQL, DMY'`,
      `TimeZone = 'Asia/Kolkata'`,
      `IntervalStyle = 'sql_standard'`,
      `bytea_output = 'escape'`,
      'extra_float_digits = -15',
      'standard_conforming_strings = off',
      `client_encoding = 'LATIN1'`,
      `default_transaction_isolation = 'serializable'`,
      'transform_null_equals = on',
      `statement_timeout = '1s'`,
    ]
    for (const setting of settings) await database.query(`alter database ${database.name} set ${setting}`)
    const store = await open(database.url)
    const named = { ...shop, name: 'Zoë\\€', expiresAt: new Date('2027-01-12T03:04:05.678Z') }
    const { secret } = await store.keys.create(named, actor)
    expect((await store.keys.find(secret))?.key).toMatchObject({
      name: named.name,
      restrictions: { expiresAt: named.expiresAt },
    })
    await store.close()
  })
})

describePostgres('a PostgreSQL whose transactions are serializable', () => {
  it('replicas write the usage of one key at the same time, without an error', async () => {
    await using database = await createDatabase()
    await database.query(`alter database ${database.name} set default_transaction_isolation = 'serializable'`)
    const log = createTestLog()
    const stores = await Promise.all([1, 2, 3, 4].map(() => openStore({ location: { url: database.url }, log })))
    const { key } = await stores[0]!.keys.create(shop, actor)
    for (let round = 0; round < 10; round += 1) {
      for (const { usage } of stores) usage.count(key.id, 'pools.list')
      await Promise.all(stores.map(({ usage }) => usage.flush()))
    }
    const month = new Date().toISOString().slice(0, 7)
    expect(await stores[0]!.usage.readCalls(key.id, month)).toBe(40)
    expect(log.errors()).toEqual([])
    await Promise.all(stores.map((store) => store.close()))
  })
})

describePostgres('the start on a PostgreSQL that others use', () => {
  it('error: a database that is read-only is refused with the reason', async () => {
    await using database = await createDatabase()
    await (await open(database.url)).close()
    await database.query(`alter database ${database.name} set default_transaction_read_only = on`)
    await expect(open(database.url)).rejects.toThrow(
      /it cannot be written \(SQLSTATE 25006: cannot execute .* read-only/,
    )
  })

  it('a start that waits for another migration says so once, and continues when that ends', async () => {
    await using database = await createDatabase()
    await database.query(`alter database ${database.name} set statement_timeout = '1s'`)
    const other = await connect(database.url)
    await other.query('select pg_advisory_lock($1)', [migrationLock])
    const reasons: string[] = []
    const opening = open(database.url, { onWait: (reason) => void reasons.push(reason) })
    await expect.poll(() => reasons, { timeout: 10_000 }).toHaveLength(1)
    expect(reasons[0]).toMatch(/^waiting for another process that migrates the schema/)
    await other[Symbol.asyncDispose]()
    await (await opening).close()
    expect(reasons).toHaveLength(1)
  })

  it('a start with a current schema does not wait for the lock of migrations', async () => {
    await using database = await createDatabase()
    await (await open(database.url)).close()
    await using other = await connect(database.url)
    await other.query('select pg_advisory_lock($1)', [migrationLock])
    const onWait = () => {
      throw new Error('waited')
    }
    await (await open(database.url, { onWait })).close()
  })

  it('error: MIGRATE=check refuses an older schema, and serves with rights on rows alone', async () => {
    await using database = await createDatabase()
    await expect(open(database.url, { mode: 'check' })).rejects.toThrow(/its schema is older than this version needs/)
    await (await open(database.url)).close()
    await database.query(`insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 9999999999999)`)
    const role = `agio_rows_${database.name.slice(-8)}`
    await database.query(`create role ${role} login`)
    const url = Object.assign(new URL(database.url), { username: role }).href
    await expect(open(url, { mode: 'check' })).rejects.toThrow(/SQLSTATE 42501: permission denied for schema drizzle/)
    await database.query(`
      grant usage on schema drizzle to ${role};
      grant select on drizzle.__drizzle_migrations to ${role};
      grant select, insert, update, delete on all tables in schema public to ${role}`)
    const store = await open(url, { mode: 'check' })
    const { secret } = await store.keys.create(shop, actor)
    expect(await store.keys.find(secret)).toBeDefined()
    store.usage.count((await store.keys.find(secret))!.key.id, 'pools.list')
    await store.usage.flush()
    await store.close()
    await database.query(`drop owned by ${role}`)
    await database.query(`drop role ${role}`)
  })
})

async function connect(connectionString: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

const describeRedis = await describeWith(['Redis binary'], 'a Redis that cannot share limits')

describeRedis('a Redis that cannot share limits', () => {
  it('error: a Redis Cluster and a server without TLS behind rediss:// are refused in one sentence', async () => {
    await using cluster = await startRedis('--cluster-enabled', 'yes')
    await using plain = await startRedis()
    const log = createTestLog()
    await expect(openLimiter({ redisUrl: cluster.url, log })).rejects.toThrow(/REDIS_URL is a Redis Cluster/)
    const redisUrl = plain.url.replace('redis:', 'rediss:')
    await expect(openLimiter({ redisUrl, log })).rejects.toThrow(/the server does not use TLS/)
  })

  it('error: a server with TLS behind redis:// and a Sentinel are refused in one sentence', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'agio-redis-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const [key, certificate, config] = ['key.pem', 'certificate.pem', 'sentinel.conf'].map((name) => join(folder, name))
    const request = ['req', '-x509', '-newkey', 'ed25519', '-nodes', '-subj', '/CN=localhost']
    execFileSync('openssl', [...request, '-keyout', key!, '-out', certificate!], { stdio: 'ignore' })
    const [tlsPort, sentinelPort] = [await findFreePort(), await findFreePort()]
    const tls = ['--tls-port', String(tlsPort), '--tls-cert-file', certificate!, '--tls-key-file', key!]
    await using _redis = await startRedis(...tls, '--tls-auth-clients', 'no')
    await writeFile(config!, `port ${sentinelPort}\n`)
    const sentinel = spawn(getBinary('redis-server'), [config!, '--sentinel'], { stdio: 'ignore' })
    killOnExit(sentinel)
    onTestFinished(() => void sentinel.kill('SIGKILL'))
    const openAt = (port: number) =>
      openLimiter({ redisUrl: `redis://127.0.0.1:${port}`, log: createTestLog() }).then(
        (limiter) => limiter.close(),
        (error: Error) => error.message,
      )
    expect(await openAt(tlsPort)).toMatch(/but the server uses TLS. Use rediss:/)
    await expect.poll(() => openAt(sentinelPort), eventually).toMatch(/REDIS_URL is a Sentinel/)
  })

  it('a user of Redis with the rights of the documentation shares limits', async () => {
    const page = readFileSync(new URL('../../docs/operate/infrastructure.md', import.meta.url), 'utf8')
    const [, rule = ''] = /^ACL SETUSER agio (.*)$/m.exec(page) ?? []
    await using redis = await startRedis('--user', 'agio', ...rule.replace('<password>', 'secret').split(' '))
    const redisUrl = redis.url.replace('//', '//agio:secret@')
    const limiter = await openLimiter({ redisUrl, log: createTestLog() })
    const windows = [{ name: 'minute', limit: 2, lengthMs: 60_000 }]
    for (const isAdmitted of [true, true, false]) {
      expect(await limiter.admit('subject', windows)).toMatchObject({ isAdmitted })
    }
    expect(await limiter.hold('stream', 1)).toBeTypeOf('function')
    expect(limiter.state()).toBe('shared')
    await limiter.close()
  })
})
