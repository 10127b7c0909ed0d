import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Usage } from '@agio/store'
import { createUsage, writeBatch } from '@agio/store/testing'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { partOf } from '../harness/partOf.ts'
import { createTestLog, type TestLog } from './createTestLog.ts'
import { runSql } from './dumpDatabase.ts'
import { listDatabases, setUpDatabase } from './listDatabases.ts'

const databases = partOf(await listDatabases('usage'))
const january = Date.UTC(2026, 0, 15, 12)
const march = Date.UTC(2026, 2, 15, 12)
const lost = 'usage lost: the database refuses this count'

describe.each(databases)('usage on $name', ({ create }) => {
  const database = setUpDatabase(create)
  let log: TestLog
  let nowMs: number
  const opened: Usage[] = []
  const createKeyId = () => `key_${crypto.randomUUID()}`

  function open(maxBuffered?: number): Usage {
    nowMs = january
    log = createTestLog()
    const usage = createUsage({ db: database.db, log, now: () => nowMs, maxBuffered })
    opened.push(usage)
    return usage
  }
  async function rowsOf(keyId: string, month = '2026-01', usage = open()) {
    return await usage.readMonth(month, [keyId])
  }

  beforeAll(async () => {
    await runSql(database.db, `alter table usage_days add constraint allowed check (operation <> 'refused')`)
  })
  afterEach(async () => {
    for (const usage of opened.splice(0)) await usage.close()
  })

  it('a key was last used when a call was last admitted, regardless of calls that were refused or counted late', async () => {
    const usage = open()
    const [used, refused] = [createKeyId(), createKeyId()]
    const lastMs = january + 5000
    nowMs = lastMs
    usage.count(used, 'pools.list')
    nowMs = lastMs + 1000
    usage.refuse(used, 'pools.list')
    usage.refuse(refused, 'pools.list')
    await usage.flush()
    nowMs = lastMs - 1000
    usage.count(used, 'pools.list')
    usage.count(used, 'oracle.price')
    await usage.flush()
    const lastUsed = await usage.readLastUsed([used, refused])
    expect(lastUsed.get(used)).toEqual(new Date(lastMs))
    expect(lastUsed.has(refused)).toBe(false)
  })

  it('a batch over midnight or over the end of a month is divided among its days and its months', async () => {
    const usage = open()
    const keyId = createKeyId()
    const monthEnd = Date.UTC(2026, 1, 1)
    for (const atMs of [monthEnd - 86_400_001, monthEnd - 86_400_000, monthEnd - 1, monthEnd, monthEnd - 1]) {
      nowMs = atMs
      usage.count(keyId, 'pools.list')
      usage.refuse(keyId, 'pools.list', 10)
    }
    const row = { operation: 'pools.list' }
    expect(await usage.readKeyMonth(keyId, '2026-01')).toEqual({
      operations: [{ ...row, calls: 4, refused: 40 }],
      days: [
        { ...row, day: '2026-01-30', calls: 1, refused: 10 },
        { ...row, day: '2026-01-31', calls: 3, refused: 30 },
      ],
    })
    expect(await usage.readKeyMonth(keyId, '2026-02')).toEqual({
      operations: [{ ...row, calls: 1, refused: 10 }],
      days: [{ ...row, day: '2026-02-01', calls: 1, refused: 10 }],
    })
    expect(await rowsOf(keyId)).toMatchObject([{ lastCallAt: new Date(monthEnd - 1) }])
  })

  it('a usage count between two flushes is written without a third', async () => {
    const usage = open()
    const keyId = createKeyId()
    const first = usage.flush()
    queueMicrotask(() => usage.count(keyId, 'pools.list'))
    await Promise.all([first, usage.flush()])
    await expect.poll(() => usage.countUnwritten()).toBe(0)
    expect(await open().readCalls(keyId, '2026-01')).toBe(1)
  })

  it('a read of the usage does not wait for calls that are counted meanwhile', async () => {
    const usage = open()
    const keyId = createKeyId()
    const read = new AbortController()
    async function keepCounting(): Promise<void> {
      while (!read.signal.aborted) {
        usage.count(keyId, 'pools.list')
        await nextTurn()
      }
    }
    const counting = keepCounting()
    await nextTurn()
    expect(await usage.readCalls(keyId, '2026-01')).toBeGreaterThan(0)
    read.abort()
    await counting
  })

  it('thousands of concurrent usage counts by two writers sum exactly, on the same rows', async () => {
    const keyIds = Array.from({ length: 10 }, createKeyId)
    const operations = ['pools.list', 'oracle.price', 'swap.build']
    async function countAll(usage: Usage): Promise<void> {
      for (let index = 0; index < 1800; index += 1) {
        const [keyId, operation] = [keyIds[index % 10] as string, operations[index % 3] as string]
        nowMs = january + (Math.floor(index / 30) % 2) * 86_400_000
        usage.count(keyId, operation)
        if (index % 5 === 0) usage.refuse(keyId, operation)
        if (index % 50 === 0) void usage.flush()
        if (index % 10 === 0) await nextTurn()
      }
      await usage.flush()
    }
    await Promise.all([countAll(open()), countAll(open())])
    const rows = await open().readMonth('2026-01', keyIds)
    expect(rows).toHaveLength(30)
    expect(rows.map(({ calls }) => calls)).toEqual(Array.from({ length: 30 }, () => 120))
    expect(rows.reduce((total, { refused }) => total + refused, 0)).toBe(720)
    const days = await open().readDays('2026-01', keyIds)
    expect(days.map(({ day }) => day)).toEqual(keyIds.flatMap(() => ['2026-01-15', '2026-01-16']))
    expect(days.reduce((total, { calls }) => total + calls, 0)).toBe(3600)
    expect(days.reduce((total, { refused }) => total + refused, 0)).toBe(720)
    const sums = 'select sum(calls)::int as calls, sum(refused)::int as refused from usage where month = '
    expect([await open().readTotals('2026-01')]).toEqual(await runSql(database.db, `${sums} '2026-01'`))
  })

  it('a batch of usage that is written twice, or after a later one, counts once', async () => {
    const keyId = createKeyId()
    const count = { keyId, operation: 'pools.list', refused: 1, lastCallAtMs: january }
    const write = (writer: string, number: number, calls: number) =>
      writeBatch(database.db, writer, {
        number,
        counts: ['2026-01-15', '2026-01-16'].map((day) => ({ ...count, day, calls })),
      })
    const [one, other] = [crypto.randomUUID(), crypto.randomUUID()]
    await write(one, 1, 1)
    await write(one, 1, 1)
    await write(one, 2, 10)
    await Promise.all([write(one, 1, 1), write(one, 2, 10), write(one, 2, 10)])
    await write(other, 1, 100)
    await Promise.all([write(other, 2, 1000), write(other, 2, 1000), write(other, 2, 1000)])
    expect(await rowsOf(keyId)).toMatchObject([{ calls: 2222, refused: 8 }])
    const { days } = await open().readKeyMonth(keyId, '2026-01')
    expect(days).toMatchObject(['2026-01-15', '2026-01-16'].map((day) => ({ day, calls: 1111, refused: 4 })))
  })

  it('usage counts beyond the limit of the buffer are logged as lost, and all others are kept', async () => {
    const usage = open(2)
    const keyId = createKeyId()
    usage.count(keyId, 'one')
    usage.count(keyId, 'two')
    usage.count(keyId, 'three', 7)
    usage.refuse(keyId, 'four', 2)
    usage.count(keyId, 'one', 10)
    expect(log.entries).toMatchObject([{ level: 'error', fields: { keyId, operation: 'three', calls: 7, refused: 0 } }])
    const rows = await rowsOf(keyId, '2026-01', usage)
    expect(log.entries.slice(1)).toMatchObject([{ level: 'error', fields: { calls: 7, refused: 2 } }])
    expect(rows).toMatchObject([
      { operation: 'one', calls: 11 },
      { operation: 'two', calls: 1 },
    ])
    usage.count(keyId, 'three')
    expect(await usage.readCalls(keyId, '2026-01')).toBe(13)
  })

  /** Opens usage on a database that refuses one operation, in a month without other counts. */
  function openInMarch(): Usage {
    const usage = open()
    nowMs = march
    return usage
  }

  it('counts that the database refuses for their data are logged with all their fields, and all others are written', async () => {
    const usage = openInMarch()
    for (let index = 0; index < 20; index += 1) usage.count(`key_${index}`, 'pools.list', 2)
    usage.count('key_3', 'refused', 7)
    usage.refuse('key_3', 'refused', 4)
    for (let index = 0; index < 20; index += 1) usage.count(`key_${index}`, 'oracle.price')
    usage.count('key_\u0000', 'pools.list', 5)
    await usage.flush()
    const { calls } = await usage.readTotals('2026-03')
    expect(calls).toBe(60)
    expect([usage.countUnwritten(), usage.isWritable()]).toEqual([0, true])
    const fields = { day: '2026-03-15', err: expect.any(Error) as Error }
    expect(log.entries).toEqual([
      {
        level: 'error',
        fields: { ...fields, keyId: 'key_3', operation: 'refused', calls: 7, refused: 4, lastCallAtMs: march },
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
          lastCallAtMs: march,
        },
        message: lost,
      },
    ])
    usage.count('key_3', 'pools.list')
    expect(await usage.readCalls('key_3', '2026-03')).toBe(4)
    await usage.close()
  })

  it('usage that the database refuses for another reason waits until an operator has repaired the database', async () => {
    const usage = openInMarch()
    await runSql(database.db, 'alter table usage_days rename to usage_days_away')
    usage.count('key_waits', 'pools.list', 3)
    usage.count('key_waits', 'refused', 4)
    await expect(usage.flush()).rejects.toThrow('Failed query')
    expect([usage.countUnwritten(), usage.isWritable()]).toEqual([7, false])
    expect(log.errors()).toEqual(['cannot write usage: it stays in memory until a retry succeeds'])
    await runSql(database.db, 'alter table usage_days_away rename to usage_days')
    expect(await usage.readCalls('key_waits', '2026-03')).toBe(3)
    expect(log.errors().slice(1)).toEqual([lost])
    await usage.close()
  })
})
