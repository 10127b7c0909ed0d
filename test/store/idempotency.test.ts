import { randomBytes } from 'node:crypto'
import { openStore } from '@agio/store'
import { createIdempotency } from '@agio/store/testing'
import { describe, expect, it } from 'vitest'
import { createDatabase } from '../harness/createDatabase.ts'
import { describeWith } from '../harness/findServices.ts'
import { partOf } from '../harness/partOf.ts'
import { startTcpProxy } from '../harness/startTcpProxy.ts'
import { createTestLog } from './createTestLog.ts'
import { dumpDatabase, runSql } from './dumpDatabase.ts'
import { listDatabases, setUpDatabase } from './listDatabases.ts'
import { actor, shop } from './shop.ts'

const databases = partOf(await listDatabases('idempotency keys'))
const describePostgres = await describeWith(['PostgreSQL'], 'creations whose response is lost')

const inUse = { code: 'svc/idempotency-key-in-use' }
const createCall = () => ({
  callerId: 'key_a',
  operation: 'webhooks.create',
  key: randomBytes(16).toString('hex'),
  input: '{"email":"dev@shop.example"}',
})

describe.each(databases)('idempotency keys on $name', ({ create }) => {
  const database = setUpDatabase(create)

  /** Begins a call that no other call has begun, in one of two processes. */
  async function claim(call: ReturnType<typeof createCall>) {
    const begun = await createIdempotency(database).begin(call)
    if ('outcome' in begun) throw new Error('Cannot claim the key: its call has an outcome')
    return begun
  }
  const begin = (call: ReturnType<typeof createCall>) => createIdempotency(database).begin(call)

  it('error: svc/idempotency-key-reused for another input, during and after the first call', async () => {
    const call = createCall()
    const reused = { code: 'svc/idempotency-key-reused' }
    const { complete } = await claim(call)
    await expect(begin({ ...call, input: '{}' })).rejects.toMatchObject(reused)
    await complete('created')
    await expect(begin({ ...call, input: '{}' })).rejects.toMatchObject(reused)
  })

  it('a key of another caller or another operation is another key', async () => {
    const call = createCall()
    await (await claim(call)).complete('created')
    await claim({ ...call, callerId: 'key_b' })
    await claim({ ...call, operation: 'admin.keys.create' })
  })

  it('a call whose process died is made again after its lease, and the first process cannot complete it', async () => {
    const call = createCall()
    const first = await claim(call)
    await runSql(database.db, "update idempotency_keys set lease_until = pg_catalog.now() - interval '1 second'")
    const second = await claim(call)
    await expect(first.complete('first')).rejects.toMatchObject(inUse)
    await first.release()
    await second.complete('second')
    expect(await begin(call)).toEqual({ outcome: 'second' })
  })

  it('a released key can be used again, and a transaction that fails stores no outcome', async () => {
    const call = createCall()
    const { complete, release } = await claim(call)
    const failed = database.transact(async (tx) => {
      await complete('created', { tx })
      throw new Error('the creation failed')
    })
    await expect(failed).rejects.toThrow('the creation failed')
    await expect(begin(call)).rejects.toMatchObject(inUse)
    await release()
    await claim(call)
  })

  it('an outcome ends after 24 hours, and its row is deleted', async () => {
    const [call, other] = [createCall(), createCall()]
    for (const one of [call, other]) await (await claim(one)).complete('created')
    await runSql(database.db, "update idempotency_keys set created_at = created_at - interval '24 hours 1 second'")
    await claim(call)
    expect(await runSql(database.db, 'select id from idempotency_keys')).toHaveLength(1)
  })

  it('the database contains neither the key nor the input nor the outcome', async () => {
    const call = createCall()
    await (await claim(call)).complete('a-created-secret')
    const dump = await dumpDatabase(database.db)
    expect(dump).toContain('enc:v1:')
    for (const text of [call.key, Buffer.from(call.key).toString('base64'), 'dev@shop', 'a-created-secret']) {
      expect(dump).not.toContain(text)
    }
  })
})

describePostgres('a creation whose commit has no response', () => {
  it('is not repeated: the next call with its key has its outcome', async () => {
    await using database = await createDatabase()
    await using proxy = await startTcpProxy(database.url)
    const store = await openStore({ location: { url: proxy.url }, log: createTestLog() })
    const call = createCall()
    const begun = await store.idempotency.begin(call)
    if ('outcome' in begun) throw new Error('Cannot claim the key: its call has an outcome')
    const kept = proxy.keepAnswer('commit\0')
    const creating = store.keys
      .create(shop, actor, (tx, { key }) => begun.complete(key.id, { tx }))
      .catch((error: unknown) => error)
    ;(await kept).breakOff()
    expect(await creating).toMatchObject({ code: 'svc/storage-unavailable' })
    await begun.release()
    const { keys } = await store.keys.list({ page: 1, limit: 10 })
    expect(keys).toHaveLength(1)
    expect(await store.idempotency.begin(call)).toEqual({ outcome: keys[0]?.id })
    await store.close()
  })
})
