import { createAudit, createUsage, openDatabase } from '@agio/store/testing'
import { openStore } from '@agio/store'
import { describe, expect, it } from 'vitest'
import { startTestLocalnet } from '../harness/startTestLocalnet.ts'
import { startTestServer } from '../harness/startTestServer.ts'
import { partOf } from '../harness/partOf.ts'
import { createTestLog } from './createTestLog.ts'
import { runSql } from './dumpDatabase.ts'
import { createFolder, listDatabases } from './listDatabases.ts'
import { actor, shop } from './shop.ts'

const databases = partOf(await listDatabases('retention'))

const addUsage = (count: number, daysAgo: number) => `
  with old as (select now() at time zone 'UTC' - interval '${daysAgo} days' as at),
  months as (insert into usage select 'key_' || n, to_char(at, 'YYYY-MM'), 'pools.list', 2, 1, now() from old, generate_series(1, ${count}) as n)
  insert into usage_days select 'key_' || n, to_char(at, 'YYYY-MM-DD'), 'pools.list', 2, 1 from old, generate_series(1, ${count}) as n`

describe.each(databases)('retention on $name', ({ create }) => {
  it('old usage is deleted by whole months, in batches, and the current month remains', async () => {
    await using place = await create()
    const database = await openDatabase(place.location)
    const usage = createUsage({ ...database, log: createTestLog() })
    await runSql(database.db, addUsage(2500, 400))
    await runSql(database.db, addUsage(1, 100))
    await runSql(database.db, addUsage(1, 0))
    const count = async (table: string) =>
      (await runSql<{ count: number }>(database.db, `select count(*)::int as count from ${table}`))[0]?.count
    const counts = () => Promise.all(['usage', 'usage_days', 'usage_totals'].map(count))
    await usage.deleteBefore(450)
    expect(await counts()).toEqual([2502, 2502, 3])
    await Promise.all([usage.deleteBefore(200), usage.deleteBefore(200)])
    await usage.deleteBefore(200)
    expect(await counts()).toEqual([2, 2, 2])
    await usage.deleteBefore(1)
    // On the first day of a month, the day before is kept.
    expect(await counts()).toEqual([1, 1, 1])
    await usage.close()
    await database.close()
  })

  it('old events of the audit log are removed in batches', async () => {
    await using place = await create()
    const { db, transact, close } = await openDatabase(place.location)
    const audit = createAudit({ db, transact })
    await runSql(
      db,
      `insert into audit_events select n, now() + interval '12 hours' - (3000 - n) * interval '1 day', 'ada', 'test', 'a', '', '', '[]', 'h' || n - 1, 'h' || n
       from generate_series(1, 3000) as n`,
    )
    await runSql(db, `insert into audit_chain values (1, 3000, 'h3000', 0, '')`)
    await audit.removeBefore(400)
    const { events, removed, newest } = await audit.list({ limit: 1000 })
    expect(removed).toEqual({ position: 2599, hash: 'h2599' })
    expect(newest).toEqual({ position: 3000, hash: 'h3000' })
    expect(events).toHaveLength(401)
    await close()
  })
})

it('a service removes what is older than its settings when it starts, old deliveries also without webhooks, and forgets the transactions of ended chains', async () => {
  await using location = await createFolder()
  const log = createTestLog()
  const before = await openStore({ location, log })
  const { key } = await before.keys.create(shop, actor)
  const { id } = await before.webhooks.create(key.id, { url: 'https://shop.example', events: [] })
  await before.close()
  const { db, close } = await openDatabase(location)
  await runSql(db, addUsage(3, 400))
  await runSql(db, `update audit_events set time = now() - interval '10 days'`)
  await runSql(
    db,
    `insert into webhook_deliveries (id, webhook_id, subject, type, payload, status, ended_at)
      select 'old_' || n, '${id}', 'a', 'a', '', 'given-up', now() - n * interval '1 day' from generate_series(19, 22) as n`,
  )
  await runSql(
    db,
    `insert into webhook_watches (key_id, chain_id, transaction_hash, status, ended_at) values ('${key.id}', 84532, '0x01', 'finalized', now())`,
  )
  await close()
  const localnet = await startTestLocalnet()
  const settings = { usageDays: 100, auditDays: 5, webhookTargets: 'off', deliveryDays: 20 } as const
  const changes = { dataDir: location.folder, ownDatabase: true, ...settings }
  const service = await startTestServer(localnet, changes, { hasNewChains: true })
  await expect.poll(() => fetch(`${service.url}/health/ready`).then(({ status }) => status)).toBe(200)
  await service.stop()
  await localnet.stop()
  const after = await openStore({ location, log })
  expect(await after.audit.list({ limit: 10 })).toMatchObject({ events: [], removed: { position: 1 } })
  const deliveries = await after.webhooks.listDeliveries(key.id, id, { status: undefined, before: undefined, limit: 9 })
  expect(deliveries.map((delivery) => delivery.id)).toEqual(['old_19'])
  expect(await after.webhooks.listFollowed(key.id, 9)).toEqual([])
  expect(await after.usage.readLastUsed(['key_1', 'key_2', 'key_3'])).toEqual(new Map())
  await after.close()
})
