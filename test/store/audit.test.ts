import {
  createAudit,
  createKeyring,
  createKeys,
  createQuotePauses,
  openQuoteSecrets,
  type Database,
} from '@agio/store/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { verifyAuditLog } from '../../packages/sdk/src/admin.ts'
import { partOf } from '../harness/partOf.ts'
import { runSql } from './dumpDatabase.ts'
import { listDatabases, setUpDatabase } from './listDatabases.ts'
import { actor, shop } from './shop.ts'

const databases = partOf(await listDatabases('the audit log'))

const setTo = (column: string, value: string, positions: string) =>
  `update audit_events set ${column} = ${value} where position in (${positions})`
const hashAt = (position: number) => `(select hash from audit_events where position = ${position})`
const copyOf = (position: number, as: number) =>
  `select ${as}, time, operator, operation, target, address, request_id, fields, previous_hash, hash
  from audit_events where position = ${position}`
describe.each(databases)('the audit log on $name', ({ create }) => {
  const database = setUpDatabase(create)
  let audit: ReturnType<typeof createAudit>
  let keys: ReturnType<typeof createKeys>
  let retentionDays: number | undefined
  const newest = { limit: 1000 }
  const execute = (statement: string) => runSql(database.db, statement)
  /** Verifies the log as the API returns it. */
  const verify = (options?: Parameters<typeof verifyAuditLog>[1]) =>
    verifyAuditLog(async ({ before, limit = 1000 }) => {
      const page = await audit.list({ before, limit })
      const events = page.events.map(({ time, fields, ...event }) => ({
        ...event,
        time: time.toISOString(),
        fields: [...fields],
      }))
      return { ...page, events, retentionDays }
    }, options)
  /** Runs a change of the table by someone who can write to it, verifies the log, and undoes the change. */
  async function verifyAfter(change: string, options?: Parameters<typeof verifyAuditLog>[1]) {
    await execute(`create table kept_events as table audit_events`)
    await execute(`create table kept_chain as table audit_chain`)
    await execute(change)
    const { fault } = await verify(options)
    await execute(`delete from audit_events`)
    await execute(`insert into audit_events table kept_events`)
    await execute(`delete from audit_chain`)
    await execute(`insert into audit_chain table kept_chain`)
    await execute(`drop table kept_events, kept_chain`)
    expect((await verify()).fault).toBeUndefined()
    return fault
  }

  beforeAll(() => {
    audit = createAudit(database)
    keys = createKeys(database)
  })

  it('an empty log is complete', async () => {
    expect(await verify()).toEqual({
      count: 0,
      newest: { position: 0, hash: '0'.repeat(64) },
      removed: { position: 0, hash: '0'.repeat(64) },
      fault: undefined,
    })
  })

  it('each change has an event with its actor, target and fields, and without values', async () => {
    const { key, secret } = await keys.create(shop, actor)
    const rotated = await keys.rotate(key.id, 60, { ...actor, operator: `key:${key.id}`, operation: 'keys.rotate' })
    await keys.revoke(key.id, actor)
    const { events } = await audit.list({ ...newest, target: key.id })
    expect(events.map(({ position: _, time: __, hash: ___, previousHash: ____, ...event }) => event)).toEqual([
      { ...actor, target: key.id, fields: ['revokedAt'] },
      { ...actor, operator: `key:${key.id}`, operation: 'keys.rotate', target: key.id, fields: ['secret'] },
      { ...actor, target: key.id, fields: ['name', 'company', 'email', 'useCase', 'expectedVolume', 'tier'] },
    ])
    expect(Math.abs(Date.now() - Number(events[0]?.time))).toBeLessThan(60_000)
    const text = JSON.stringify(events)
    for (const value of [shop.name, shop.email, shop.company, secret, rotated.secret]) expect(text).not.toContain(value)
  })

  it('a change that changes nothing has no event', async () => {
    const { key } = await keys.create(shop, actor)
    await keys.revoke(key.id, actor)
    const before = await audit.list(newest)
    await keys.revoke(key.id, actor)
    await expect(keys.rotate(key.id, 60, actor)).rejects.toMatchObject({ code: 'svc/key-revoked' })
    await expect(keys.rotate('key_none', 60, actor)).rejects.toMatchObject({ code: 'svc/not-found' })
    await expect(keys.erase('key_none', actor)).rejects.toMatchObject({ code: 'svc/not-found' })
    expect(await audit.list(newest)).toEqual(before)
  })

  it('a pause, its end and a rotation of the secret of quotes have events', async () => {
    const pauses = createQuotePauses(database)
    const pair = { chainId: 84532, tokens: ['0xb', '0xa'] } as const
    for (const change of [pauses.pause, pauses.pause, pauses.resume, pauses.resume]) await change(pair, actor)
    const secrets = await openQuoteSecrets({ ...database, keyring: createKeyring([]) })
    const { id } = await secrets.rotate(actor)
    await secrets.rotate(actor)
    const { events } = await audit.list({ limit: 3 })
    expect(events.map(({ target, fields }) => [target, fields])).toEqual([
      [id, ['secret']],
      ['84532:0xa:0xb', ['pausedAt']],
      ['84532:0xa:0xb', ['pausedAt']],
    ])
  })

  it('a change that is rolled back leaves no event', async () => {
    const before = await audit.list(newest)
    const failing: Database = {
      ...database,
      transact: (work) =>
        database.transact(async (tx) => {
          await work(tx)
          throw new Error('The transaction fails at its end')
        }),
    }
    await expect(createKeys(failing).create(shop, actor)).rejects.toMatchObject({ code: 'svc/storage-unavailable' })
    expect(await audit.list(newest)).toEqual(before)
  })

  it('concurrent changes form one chain', async () => {
    await Promise.all(Array.from({ length: 20 }, () => keys.create(shop, actor)))
    const { count, fault, newest: end } = await verify()
    expect({ count, fault }).toEqual({ count: end.position, fault: undefined })
  })

  it('the log is listed by operator, operation, target and time, in pages', async () => {
    const { key } = await keys.create(shop, { ...actor, operator: 'bo', operation: 'other' })
    const ofBo = await audit.list({ ...newest, operator: 'bo' })
    expect(ofBo.events.map(({ target }) => target)).toEqual([key.id])
    const [event] = ofBo.events
    const at = event?.time.getTime() ?? 0
    expect((await audit.list({ ...newest, operation: 'other' })).events).toEqual([event])
    expect((await audit.list({ ...newest, operator: 'bo', from: new Date(at), to: new Date(at + 1) })).events).toEqual([
      event,
    ])
    expect((await audit.list({ ...newest, operator: 'bo', to: new Date(at) })).events).toEqual([])
    expect((await audit.list({ ...newest, operator: 'bo', from: new Date(at + 1) })).events).toEqual([])
    const all = (await audit.list(newest)).events
    const second = await audit.list({ limit: 2, before: all[1]?.position })
    expect(second.events).toEqual(all.slice(2, 4))
  })

  it('erasing a key removes its application, revokes it and has an event with the names of the fields', async () => {
    const { key, secret } = await keys.create(shop, actor)
    const erased = await keys.erase(key.id, actor)
    const empty = { name: '', company: undefined, email: '', useCase: '', expectedVolume: '' }
    expect(erased).toMatchObject({ ...empty, id: key.id, tier: key.tier, revokedAt: expect.any(Date) as Date })
    expect(await keys.find(secret)).toMatchObject({ status: 'revoked', key: { name: '' } })
    const [event] = (await audit.list({ limit: 1 })).events
    expect(event?.fields).toEqual(['name', 'company', 'email', 'useCase', 'expectedVolume', 'revokedAt'])
    await keys.erase(key.id, actor)
    expect((await audit.list({ limit: 1 })).events, 'a second call changes nothing').toEqual([event])
    const [row] = await runSql<{ text: string }>(
      database.db,
      `select api_keys::text as text from api_keys where id = '${key.id}'`,
    )
    for (const value of [shop.name, shop.email, shop.useCase]) expect(row?.text).not.toContain(value)
  })

  const set = (column: string) => [`a changed ${column}`, 5, 'changed', setTo(column, "'x'", '5')] as const
  const names = ['operator', 'operation', 'target', 'address', 'request_id', 'previous_hash', 'hash']
  it.each([
    ...names.map(set),
    ['the first of two changed times', 4, 'changed', setTo('time', "time + interval '1 millisecond'", '7, 4')],
    ['changed fields', 6, 'changed', setTo('fields', "'[]'", '6')],
    ['an event with the hash of another', 5, 'changed', setTo('hash', hashAt(3), '5')],
    ['an event that was removed from the middle', 5, 'removed', `delete from audit_events where position = 5`],
    ['the first events that were removed', 1, 'removed', `delete from audit_events where position < 3`],
    ['the removal of all events', 1, 'removed', `delete from audit_events`],
    ['an event above the newest', 5000, 'changed', `insert into audit_events ${copyOf(5, 5000)}`],
  ] as const)('%s is found by a verification', async (_, position, kind, change) => {
    expect(await verifyAfter(change)).toEqual({ position, kind })
  })

  it('events that were removed from the end are found, by an event known from before also if the end was rewritten', async () => {
    const known = (await audit.list({ limit: 1 })).newest
    const removed = `delete from audit_events where position >= ${known.position - 1}`
    const fault = { position: known.position - 1, kind: 'removed' }
    expect(await verifyAfter(removed)).toEqual(fault)
    const rewritten = `
      with removed as (delete from audit_events where position >= ${known.position - 1})
      update audit_chain set newest_position = last.position, newest_hash = last.hash
      from (select position, hash from audit_events where position = ${known.position - 2}) as last`
    expect(await verifyAfter(rewritten), 'nothing known').toBeUndefined()
    expect(await verifyAfter(rewritten, { known })).toEqual(fault)
    const other = { position: known.position, hash: 'f'.repeat(64) }
    expect((await verify({ known: other })).fault).toEqual({ position: known.position, kind: 'changed' })
    expect((await verify({ known })).fault).toBeUndefined()
  })

  it('a beginning that was removed is found by what an earlier verification saw, unless the service has a retention', async () => {
    const { newest: end, removed } = await audit.list({ limit: 1 })
    const cut = `
      with removed as (delete from audit_events where position <= 3)
      update audit_chain set removed_position = 3, removed_hash = ${hashAt(3)}`
    const known = { ...end, removed: removed.position }
    expect(await verifyAfter(cut, { known })).toEqual({ position: 1, kind: 'removed' })
    retentionDays = 30
    expect(await verifyAfter(cut, { known })).toBeUndefined()
    retentionDays = undefined
  })

  it('retention removes the oldest events, and the log remains verifiable from their last hash', async () => {
    const before = await audit.list(newest)
    const cut = before.events.find(({ position }) => position === 6)
    await audit.removeBefore(1)
    expect(await audit.list(newest), 'all events are younger').toEqual(before)
    // The sixth event is old. Its hash no longer matches, but it is removed.
    await execute(`update audit_events set time = time - interval '10 days' where position = 6`)
    await audit.removeBefore(9)
    const after = await audit.list(newest)
    expect(after.removed).toEqual({ position: 6, hash: cut?.hash })
    expect(after.events.at(-1)?.position).toBe(7)
    expect(await verify()).toMatchObject({ count: after.newest.position - 6, fault: undefined })
    expect(await verifyAfter(`delete from audit_events where position = 7`)).toEqual({ position: 7, kind: 'removed' })
    await keys.create(shop, actor)
    expect((await verify()).fault).toBeUndefined()
  })
})
