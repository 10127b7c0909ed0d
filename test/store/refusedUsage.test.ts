import { createUsage } from '@agio/store/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestLog } from './createTestLog.ts'
import { runSql } from './dumpDatabase.ts'
import { listDatabases, setUpDatabase } from './listDatabases.ts'

const databases = await listDatabases('refused usage')
const january = Date.UTC(2026, 0, 15, 12)
const lost = 'usage lost: the database refuses this count'

describe.each(databases)('usage that the database on $name refuses', ({ create }) => {
  const database = setUpDatabase(create)

  function open() {
    const log = createTestLog()
    return { log, usage: createUsage({ db: database.db, log, now: () => january }) }
  }

  beforeAll(async () => {
    await runSql(database.db, `alter table usage_days add constraint allowed check (operation <> 'refused')`)
  })

  it('counts that the database refuses for their data are logged with all their fields, and all others are written', async () => {
    const { usage, log } = open()
    for (let index = 0; index < 20; index += 1) usage.count(`key_${index}`, 'pools.list', 2)
    usage.count('key_3', 'refused', 7)
    usage.refuse('key_3', 'refused', 4)
    for (let index = 0; index < 20; index += 1) usage.count(`key_${index}`, 'oracle.price')
    usage.count('key_\u0000', 'pools.list', 5)
    await usage.flush()
    const { calls } = await usage.readTotals('2026-01')
    expect(calls).toBe(60)
    expect([usage.countUnwritten(), usage.isWritable()]).toEqual([0, true])
    const fields = { day: '2026-01-15', err: expect.any(Error) as Error }
    expect(log.entries).toEqual([
      {
        level: 'error',
        fields: { ...fields, keyId: 'key_3', operation: 'refused', calls: 7, refused: 4, lastCallAtMs: january },
        message: lost,
      },
      {
        level: 'error',
        fields: {
          ...fields,
          keyId: 'key_\u0000',
          operation: 'pools.list',
          calls: 5,
          refused: 0,
          lastCallAtMs: january,
        },
        message: lost,
      },
    ])
    usage.count('key_3', 'pools.list')
    expect(await usage.readCalls('key_3', '2026-01')).toBe(4)
    await usage.close()
  })

  it('usage that the database refuses for another reason waits until an operator has repaired the database', async () => {
    const { usage, log } = open()
    await runSql(database.db, 'alter table usage_days rename to usage_days_away')
    usage.count('key_waits', 'pools.list', 3)
    usage.count('key_waits', 'refused', 4)
    await expect(usage.flush()).rejects.toThrow('Failed query')
    expect([usage.countUnwritten(), usage.isWritable()]).toEqual([7, false])
    expect(log.errors()).toEqual(['cannot write usage: it stays in memory until a retry succeeds'])
    await runSql(database.db, 'alter table usage_days_away rename to usage_days')
    expect(await usage.readCalls('key_waits', '2026-01')).toBe(3)
    expect(log.errors().slice(1)).toEqual([lost])
    await usage.close()
  })
})
