import type { LoggedCall, RequestLog } from '@agio/store'
import { createRequestLog } from '@agio/store/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { partOf } from '../harness/partOf.ts'
import { createTestLog, type TestLog } from './createTestLog.ts'
import { runSql } from './dumpDatabase.ts'
import { listDatabases, setUpDatabase } from './listDatabases.ts'

const databases = partOf(await listDatabases('request_log'))
const startMs = Date.UTC(2026, 0, 15, 12)
const dayMs = 86_400_000

describe.each(databases)('the request log on $name', ({ name, create }) => {
  const database = setUpDatabase(create)
  let log: TestLog
  let nowMs: number
  const opened: RequestLog[] = []
  const createKeyId = () => `key_${crypto.randomUUID()}`

  function open(options: Partial<createRequestLog.Dependencies> = {}): RequestLog {
    const requestLog = createRequestLog({ ...database, log, now: () => nowMs, ...options })
    opened.push(requestLog)
    return requestLog
  }
  const toCall = (keyId: string, changes: Partial<LoggedCall> = {}) => toLoggedCall({ keyId, atMs: nowMs, ...changes })
  async function listOperations(requestLog: RequestLog, filter: Partial<Parameters<RequestLog['list']>[0]>) {
    return (await requestLog.list({ limit: 100, ...filter })).map(({ operation }) => operation)
  }

  beforeEach(() => {
    nowMs = startMs
    log = createTestLog()
  })
  afterEach(async () => {
    for (const requestLog of opened.splice(0)) await requestLog.close()
  })

  it('calls are listed newest first, by key, time, operation, status, code, request and transaction', async () => {
    const requestLog = open()
    const keyId = createKeyId()
    const requestId = crypto.randomUUID()
    requestLog.add(toCall(keyId, { operation: 'a', status: 422, code: 'svc/no-route' }))
    requestLog.add(toCall(createKeyId(), { operation: 'other' }))
    requestLog.add(toCall(keyId, { operation: 'c', atMs: startMs + 2000, transactionHash: requestId }))
    requestLog.add(toCall(keyId, { operation: 'b', atMs: startMs + 1000, requestId }))
    const list = (filter: Partial<Parameters<RequestLog['list']>[0]>) =>
      listOperations(requestLog, { keyId, ...filter })
    expect(await list({})).toEqual(['c', 'b', 'a'])
    expect(await list({ fromMs: startMs + 1000 })).toEqual(['c', 'b'])
    expect(await list({ toMs: startMs + 1000 })).toEqual(['a'])
    expect(await list({ fromMs: startMs + 1, toMs: startMs + 2000 })).toEqual(['b'])
    expect(await list({ operation: 'b' })).toEqual(['b'])
    expect(await list({ status: 422 })).toEqual(['a'])
    expect(await list({ code: 'svc/no-route' })).toEqual(['a'])
    expect(await listOperations(requestLog, { requestId })).toEqual(['b'])
    expect(await listOperations(requestLog, { transactionHash: requestId })).toEqual(['c'])
  })

  it('pages contain each call once', async () => {
    const requestLog = open()
    const keyId = createKeyId()
    for (let number = 0; number < 7; number += 1) requestLog.add(toCall(keyId, { operation: String(number) }))
    const found: string[] = []
    let before: string | undefined
    for (;;) {
      const page = await requestLog.list({ keyId, before, limit: 3 })
      found.push(...page.map(({ operation }) => operation))
      before = page.at(-1)?.id
      if (page.length < 3) break
    }
    expect(found.toSorted()).toEqual(['0', '1', '2', '3', '4', '5', '6'])
  })

  it('successful reads and refusals by a limit are kept ten times per key and second, all other calls always', () => {
    const requestLog = open()
    const admitted = (keyId: string, kind: 'read' | 'limited' | 'other') =>
      Array.from({ length: 25 }, () => requestLog.admit(keyId, kind)).filter(Boolean).length
    expect([admitted('a', 'read'), admitted('a', 'limited'), admitted('a', 'other')]).toEqual([10, 10, 25])
    expect(admitted('b', 'read')).toBe(10)
    nowMs += 999
    expect(admitted('a', 'read')).toBe(0)
    nowMs += 1
    expect(admitted('a', 'read')).toBe(10)
    expect(requestLog.countDropped('sampled')).toBe(15 + 15 + 15 + 25 + 15)
  })

  it('a full buffer drops successful reads first and counts what it drops', async () => {
    const requestLog = open({ maxBuffered: 10 })
    const keyId = createKeyId()
    const addAll = (kind: 'read' | 'other', count: number) => {
      for (let number = 0; number < count; number += 1)
        if (requestLog.admit(keyId, kind)) requestLog.add(toCall(keyId, { operation: kind }))
    }
    addAll('read', 7)
    addAll('other', 9)
    expect(requestLog.countDropped('full')).toBe(2 + 4)
    const logged = await listOperations(requestLog, { keyId })
    expect(logged.filter((kind) => kind === 'read')).toHaveLength(5)
    expect(logged.filter((kind) => kind === 'other')).toHaveLength(5)
    addAll('other', 3)
    expect(await listOperations(requestLog, { keyId })).toHaveLength(13)
  })

  it('closing the log writes what is buffered', async () => {
    const requestLog = open()
    const keyId = createKeyId()
    for (let number = 0; number < 2500; number += 1) requestLog.add(toCall(keyId))
    await requestLog.close()
    expect(
      await runSql(database.db, `select count(*)::int as count from request_log where key_id = '${keyId}'`),
    ).toEqual([{ count: 2500 }])
  })

  it('calls that are older than the log are deleted, and the oldest calls of a key beyond its number', async () => {
    const limits = { days: 7, maxRows: 600 }
    const requestLog = open({ limits })
    const [old, busy, quiet] = [createKeyId(), createKeyId(), createKeyId()]
    for (let number = 0; number < 1200; number += 1) {
      requestLog.add(toCall(old, { atMs: startMs - 7 * dayMs - 1 }))
      requestLog.add(toCall(busy, { atMs: startMs + number, operation: String(number) }))
    }
    requestLog.add(toCall(old, { atMs: startMs - 7 * dayMs }))
    requestLog.add(toCall(quiet))
    await requestLog.flush()
    await requestLog.deleteOld()
    expect(await listOperations(requestLog, { keyId: old, limit: 2000 })).toHaveLength(1)
    expect(await listOperations(requestLog, { keyId: quiet })).toHaveLength(1)
    const kept = await listOperations(requestLog, { keyId: busy, limit: 2000 })
    expect(kept).toHaveLength(600)
    expect(kept.at(-1)).toBe('600')
  })

  // The embedded database runs one statement at a time.
  it.runIf(name === 'PostgreSQL')('calls are deleted by one process at a time', async () => {
    const requestLog = open({ limits: { days: 7, maxRows: 10 } })
    const keyId = createKeyId()
    requestLog.add(toCall(keyId, { atMs: startMs - 8 * dayMs }))
    await requestLog.flush()
    await database.transact(async (tx) => {
      await runSql(tx, 'select pg_advisory_xact_lock(1873940266)')
      await requestLog.deleteOld()
    })
    expect(await listOperations(requestLog, { keyId })).toHaveLength(1)
    await requestLog.deleteOld()
    expect(await listOperations(requestLog, { keyId })).toEqual([])
  })

  it('a log of zero days takes no calls, and deletes those of before', async () => {
    const keyId = createKeyId()
    const before = open()
    before.add(toCall(keyId))
    await before.flush()
    nowMs += 1
    const off = open({ limits: { days: 0, maxRows: 10 } })
    expect(off.admit(keyId, 'other')).toBe(false)
    await off.deleteOld()
    expect(await off.list({ keyId, limit: 10 })).toEqual([])
    expect(log.errors()).toEqual([])
  })
})

/** Returns a successful preview, for the request log, with changes. */
function toLoggedCall({
  keyId,
  atMs,
  ...changes
}: Pick<LoggedCall, 'keyId' | 'atMs'> & Partial<LoggedCall>): LoggedCall {
  return {
    keyId,
    atMs,
    requestId: 'order-42',
    operation: 'convert.preview',
    status: 200,
    code: undefined,
    ms: 1.5,
    queueMs: 0,
    nodeMs: 0.5,
    nodeRequests: 1,
    input: undefined,
    nearestInput: undefined,
    transactionHash: undefined,
    ...changes,
  }
}
