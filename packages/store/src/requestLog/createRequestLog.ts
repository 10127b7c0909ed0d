import { and, desc, eq, gte, lt, lte, sql, type SQL } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { requestLog } from '../database/schema.ts'
import { throwStorageError } from '../database/toStorageError.ts'
import type { StoreLog } from '../log/StoreLog.ts'
import { createFlusher } from '../usage/createFlusher.ts'
import { createCallBuffer, type CallKind } from './createCallBuffer.ts'
import { createCallWriter } from './createCallWriter.ts'
import type { CallFilter, CallRecord, LoggedCall } from './LoggedCall.ts'

// One write per second, because a write of the embedded database stops the process for milliseconds.
const gatherMs = 1000
const retentionIntervalMs = 600_000

/**
 * Creates the request log: calls in memory at once, and in the database a second later. Old calls are deleted every ten
 * minutes.
 */
export function createRequestLog(dependencies: createRequestLog.Dependencies) {
  const { db, log, now = Date.now, limits = requestLogDefaults, maxBuffered = 5000 } = dependencies
  const { days } = limits
  const buffer = createCallBuffer(maxBuffered)
  const writer = createCallWriter({ ...dependencies, buffer })
  const retention = createCallRetention({ db, now, ...limits })
  const flusher = createFlusher(writer, { gatherMs })
  const timer = setInterval(() => void retention.deleteOld().catch(() => {}), retentionIntervalMs)
  return {
    /** Returns whether a call of a key is to be added. Counts the call as dropped if the log has no room for it. */
    admit: (keyId: string, kind: CallKind) => days > 0 && buffer.admit(keyId, kind, now()),
    /** Adds an admitted call. */
    add(call: LoggedCall): void {
      buffer.add({ id: createTimeId(call.atMs), ...call })
      retention.add(call.keyId)
      flusher.schedule()
    },
    /** Returns the matching calls, newest first. The calls of other processes in the last second may be missing. */
    async list(filter: CallFilter): Promise<readonly CallRecord[]> {
      await flusher.flush()
      return await selectCalls(db, filter).catch(throwStorageError)
    },
    /** Writes all calls added until now. */
    flush: flusher.flush,
    /** Deletes the calls beyond the limits, unless another process does. */
    deleteOld: retention.deleteOld,
    /** Returns the calls that this process has dropped for a reason. */
    countDropped: buffer.countDropped,
    /** Flushes for at most five seconds. */
    async close(): Promise<void> {
      clearInterval(timer)
      await flusher.close()
      if (!writer.hasUnwritten()) return
      log.error({ calls: writer.countUnwritten() }, 'request log lost: it could not be written before shutdown')
    },
  }
}

/** The limits of a request log that has no others. */
export const requestLogDefaults = { days: 7, maxRows: 100_000 } as const

export declare namespace createRequestLog {
  type Dependencies = Pick<Database, 'db' | 'assertWritable'> & {
    readonly log: StoreLog
    readonly now?: (() => number) | undefined
    readonly limits?: Limits | undefined
    /** Maximum number of buffered calls; 5,000 by default. */
    readonly maxBuffered?: number | undefined
  }
  type Limits = {
    /** The age of the oldest calls, in days. With 0, no call is logged, and the logged calls are deleted. */
    readonly days: number
    /** The largest number of calls of a key. */
    readonly maxRows: number
  }
}

/** The calls of keys. Methods that read or delete throw `svc/storage-unavailable` if the database cannot be reached. */
export type RequestLog = ReturnType<typeof createRequestLog>

async function selectCalls(db: Database['db'], filter: CallFilter): Promise<readonly CallRecord[]> {
  const { fromMs, toMs, before, limit } = filter
  const fields = ['keyId', 'operation', 'status', 'code', 'requestId', 'transactionHash'] as const
  const matches = fields.map((field) => {
    const value = filter[field]
    return value === undefined ? undefined : eq(requestLog[field], value)
  })
  const isListed = and(
    ...matches,
    fromMs === undefined ? undefined : gte(requestLog.id, firstTimeId(fromMs)),
    toMs === undefined ? undefined : lt(requestLog.id, firstTimeId(toMs)),
    before === undefined ? undefined : lt(requestLog.id, before),
  )
  const rows = await db.select().from(requestLog).where(isListed).orderBy(desc(requestLog.id)).limit(limit)
  return rows.map(({ at, code, input, nearestInput, transactionHash, ...row }) => ({
    ...row,
    atMs: at.getTime(),
    code: code ?? undefined,
    input: input ?? undefined,
    nearestInput: nearestInput ?? undefined,
    transactionHash: transactionHash ?? undefined,
  }))
}

const dayMs = 86_400_000
// Small enough that no other statement waits for long.
const maxBatchRows = 500

// An arbitrary id, the same in every process.
const retentionLock = 1_873_940_266

/** Deletes the calls that exceed the age of the log, or the number of calls of a key. */
function createCallRetention({ db, now, days, maxRows }: Dependencies) {
  // Keys with a new call since the last run in this process. The other keys cannot exceed the number.
  let changed = new Set<string>()

  async function deleteAll(isOld: SQL | undefined): Promise<void> {
    let deleted = maxBatchRows
    while (deleted === maxBatchRows) deleted = await deleteBatch(db, isOld)
  }
  async function deleteAboveMaximum(keyId: string): Promise<void> {
    const isOfKey = eq(requestLog.keyId, keyId)
    const newestRow = db.select({ id: requestLog.id }).from(requestLog).where(isOfKey)
    const [excess] = await newestRow.orderBy(desc(requestLog.id)).offset(maxRows).limit(1)
    if (excess) await deleteAll(and(isOfKey, lte(requestLog.id, excess.id)))
  }
  async function deleteOld(): Promise<void> {
    const keyIds = changed
    changed = new Set()
    try {
      await deleteAll(lt(requestLog.id, firstTimeId(now() - days * dayMs)))
      for (const keyId of keyIds) await deleteAboveMaximum(keyId)
    } catch (error) {
      for (const keyId of keyIds) changed.add(keyId)
      throw error
    }
  }
  return {
    /** Notes that a key has a new call. */
    add: (keyId: string) =>
      void changed.add(
        keyId,
      ) /** Deletes the calls beyond the limits. Does nothing while another process does. @throws `svc/storage-unavailable` */,
    deleteOld: () => deleteOld().catch(throwStorageError),
  }
}

type Dependencies = Pick<Database, 'db'> & {
  readonly now: () => number
  /** The age of the oldest calls, in days. */
  readonly days: number
  /** The largest number of calls of a key. */
  readonly maxRows: number
}

/** Deletes the oldest calls of some, and returns their number; 0 if another process deletes at the same time. */
async function deleteBatch(db: Database['db'], isOld: SQL | undefined): Promise<number> {
  const old = db.select({ id: requestLog.id }).from(requestLog).where(isOld).orderBy(requestLog.id).limit(maxBatchRows)
  const isAlone = sql`(select pg_try_advisory_xact_lock(${retentionLock}))`
  const deleted = db
    .delete(requestLog)
    .where(sql`${isAlone} and ${requestLog.id} in (${old})`)
    .returning({ id: requestLog.id })
  return (await deleted).length
}

const maxMs = 2 ** 48 - 1

/** Returns a new UUID of version 7. Ids sort by their time. */
function createTimeId(atMs: number): string {
  return `${toIdPrefix(atMs)}-7${crypto.randomUUID().slice(15)}`
}

/** Returns the smallest id of a time or later. */
function firstTimeId(atMs: number): string {
  return `${toIdPrefix(atMs)}-7000-8000-000000000000`
}

function toIdPrefix(atMs: number): string {
  const hex = Math.min(Math.max(0, Math.floor(atMs)), maxMs)
    .toString(16)
    .padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
}
