import { openStore, type Store } from '@agio/store'
import { describe, expect, it } from 'vitest'
import { createTestLog } from './createTestLog.ts'
import { listDatabases } from './listDatabases.ts'
import { runSql, withDatabase } from './dumpDatabase.ts'
import { actor, shop } from './shop.ts'

const databases = await listDatabases('opening a store')
const january = Date.UTC(2026, 0, 15)
const firstPage = { page: 1, limit: 1000 }

// Undoes the migrations since the totals: older versions did not have the totals, the index of keys, and what later migrations add.
const undoTotals = [
  'alter table api_keys drop column kind, drop column scopes, drop column expires_at, drop column allowed_cidrs, drop column is_cidr_dry_run, drop column allowed_origins',
  'alter table api_secrets drop column requested_by',
  'drop table request_log',
  'drop table audit_events, audit_chain',
  'drop table idempotency_keys',
  'alter table webhooks drop column public_key',
  'alter table webhook_watches drop column look_at, drop column decided_block, drop column traceparent',
  'alter table webhook_deliveries drop column traceparent',
  'drop index webhook_watches_chain_id_key_id_due_at_index',
  'create index webhook_watches_chain_id_due_at_index on webhook_watches (chain_id, due_at) where ended_at is null',
  'drop function add_usage_totals cascade',
  'drop table usage_totals',
  'drop index api_keys_created_at_id_index',
  'delete from drizzle.__drizzle_migrations where id > 5',
]

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

  it('a store of an older version, which counted no days, keeps its months, and counts both from now on', async () => {
    await using place = await create()
    const before = await open(place.location)
    before.usage.count('key_old', 'pools.list', 3)
    await before.close()
    await execute(
      place.location,
      ...undoTotals,
      'drop table usage_days, market_states, webhook_deliveries, webhook_watches, webhooks cascade',
      // The tables of days and of webhooks.
      'delete from drizzle.__drizzle_migrations where id > 3',
    )

    const after = await open(place.location)
    after.usage.count('key_old', 'pools.list', 2)
    expect(await after.usage.readKeyMonth('key_old', '2026-01')).toEqual({
      operations: [{ operation: 'pools.list', calls: 5, refused: 0 }],
      days: [{ day: '2026-01-15', operation: 'pools.list', calls: 2, refused: 0 }],
    })
    expect(await after.usage.readTotals('2026-01')).toEqual({ calls: 5, refused: 0 })
    await after.close()
  })

  it('the totals of a month include what an older version counts, before the migration and beside this version', async () => {
    await using place = await create()
    const count = (keyId: string, month: string) =>
      `insert into usage values ('${keyId}', '${month}', 'pools.list', 3, 1, null)
       on conflict (key_id, month, operation) do update set
         calls = usage.calls + excluded.calls, refused = usage.refused + excluded.refused`
    const [one, other, february] = [count('one', '2026-01'), count('other', '2026-01'), count('one', '2026-02')]
    await execute(place.location, ...undoTotals, one, one, other, february)
    await execute(place.location, one, other, february, count('third', '2026-01'))
    const store = await open(place.location)
    store.usage.count('one', 'pools.list', 100)
    store.usage.refuse('new', 'pools.list', 10)
    expect(await store.usage.readTotals('2026-01')).toEqual({ calls: 118, refused: 16 })
    expect(await store.usage.readTotals('2026-02')).toEqual({ calls: 6, refused: 2 })
    expect(await store.usage.readTotals('2026-03')).toEqual({ calls: 0, refused: 0 })
    await store.close()
    await execute(place.location, "delete from usage where key_id = 'one'")
    expect(
      await execute(place.location, 'select month, calls::text, refused::text from usage_totals order by month'),
    ).toEqual([
      { month: '2026-01', calls: '9', refused: '13' },
      { month: '2026-02', calls: '0', refused: '0' },
    ])
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

  it('error: a read-only database is reported in one sentence, and the store leaves nothing open', async () => {
    await using place = await create()
    await execute(
      place.location,
      `create function refuse() returns trigger language plpgsql as $$ begin raise 'no changes'; end $$`,
    )
    await execute(
      place.location,
      'create trigger refuse before delete on usage_writers for each statement execute function refuse()',
    )
    await expect(open(place.location)).rejects.toThrow(
      /^Cannot open the database[^:]*: it cannot be written \(SQLSTATE P0001\)$/,
    )
    // A lock that was left behind would make this fail.
    await execute(place.location, 'drop trigger refuse on usage_writers')
    await (await open(place.location)).close()
  })
})
