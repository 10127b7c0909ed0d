import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Usage } from '@agio/store'
import { createUsage, writeBatch } from '@agio/store/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { createTestLog, type TestLog } from './createTestLog.ts'
import { runSql } from './dumpDatabase.ts'
import { listDatabases, setUpDatabase } from './listDatabases.ts'

const databases = await listDatabases('usage')
const january = Date.UTC(2026, 0, 15, 12)

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

  afterEach(async () => {
    for (const usage of opened.splice(0)) await usage.close()
  })

  it('calls are counted by key and operation, and refused calls separately', async () => {
    const usage = open()
    const [one, two] = [createKeyId(), createKeyId()]
    usage.count(one, 'pools.list')
    usage.count(one, 'pools.list', 4)
    usage.count(one, 'oracle.price')
    usage.refuse(one, 'oracle.price')
    usage.refuse(one, 'swap.build', 2)
    usage.count(two, 'pools.list')
    const row = { keyId: one, month: '2026-01', calls: 0, refused: 0, lastCallAt: new Date(january) }
    expect(await rowsOf(one, '2026-01', usage)).toEqual([
      { ...row, operation: 'oracle.price', calls: 1, refused: 1 },
      { ...row, operation: 'pools.list', calls: 5 },
      { ...row, operation: 'swap.build', refused: 2, lastCallAt: null },
    ])
    expect(await usage.readCalls(one, '2026-01')).toBe(6)
    expect(await usage.readCalls(two, '2026-01')).toBe(1)
    expect(await usage.readCalls(createKeyId(), '2026-01')).toBe(0)
    expect(await usage.readCalls(one, '2025-12')).toBe(0)
  })

  it('the calls of a day are counted by key and operation, and the months add up from them', async () => {
    const usage = open()
    const [one, two] = [createKeyId(), createKeyId()]
    usage.count(one, 'pools.list', 2)
    usage.refuse(one, 'oracle.price')
    nowMs = january + 86_400_000
    usage.count(one, 'pools.list', 3)
    usage.count(one, 'oracle.price')
    usage.count(two, 'pools.list')
    usage.refuse(two, 'swap.build', 4)
    expect(await usage.readKeyMonth(one, '2026-01')).toEqual({
      operations: [
        { operation: 'oracle.price', calls: 1, refused: 1 },
        { operation: 'pools.list', calls: 5, refused: 0 },
      ],
      days: [
        { day: '2026-01-15', operation: 'oracle.price', calls: 0, refused: 1 },
        { day: '2026-01-15', operation: 'pools.list', calls: 2, refused: 0 },
        { day: '2026-01-16', operation: 'oracle.price', calls: 1, refused: 0 },
        { day: '2026-01-16', operation: 'pools.list', calls: 3, refused: 0 },
      ],
    })
    expect(await usage.readKeyMonth(one, '2026-02')).toEqual({ operations: [], days: [] })
    const days = await usage.readDays('2026-01', [one, two])
    expect(days.filter(({ keyId }) => keyId === one)).toEqual([
      { keyId: one, day: '2026-01-15', calls: 2, refused: 1 },
      { keyId: one, day: '2026-01-16', calls: 4, refused: 0 },
    ])
    expect(days.filter(({ keyId }) => keyId === two)).toEqual([{ keyId: two, day: '2026-01-16', calls: 1, refused: 4 }])
  })

  it('the totals of a month are the sums of all its rows', async () => {
    const usage = open()
    const month = '2026-07'
    nowMs = Date.UTC(2026, 6, 31, 23, 59, 59, 999)
    expect(await usage.readTotals(month)).toEqual({ calls: 0, refused: 0 })
    const [one, two] = [createKeyId(), createKeyId()]
    usage.count(one, 'pools.list', 2)
    usage.count(one, 'oracle.price', 3)
    usage.refuse(two, 'pools.list', 4)
    expect(await usage.readTotals(month)).toEqual({ calls: 5, refused: 4 })
    usage.count(one, 'pools.list', 10)
    nowMs += 1
    usage.count(one, 'pools.list', 100)
    expect(await usage.readTotals(month)).toEqual({ calls: 15, refused: 4 })
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
      for (let index = 0; index < 9000; index += 1) {
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
    expect(rows.map(({ calls }) => calls)).toEqual(Array.from({ length: 30 }, () => 600))
    expect(rows.reduce((total, { refused }) => total + refused, 0)).toBe(3600)
    const days = await open().readDays('2026-01', keyIds)
    expect(days.map(({ day }) => day)).toEqual(keyIds.flatMap(() => ['2026-01-15', '2026-01-16']))
    expect(days.reduce((total, { calls }) => total + calls, 0)).toBe(18_000)
    expect(days.reduce((total, { refused }) => total + refused, 0)).toBe(3600)
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

  it('closing the usage writes every count', async () => {
    const usage = open()
    const keyId = createKeyId()
    for (let count = 0; count < 50; count += 1) {
      usage.count(keyId, `operation ${count}`)
      if (count % 10 === 0) void usage.flush()
    }
    await usage.close()
    expect(usage.countUnwritten()).toBe(0)
    expect(await open().readCalls(keyId, '2026-01')).toBe(50)
    expect(log.errors()).toEqual([])
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
})
