import { and, desc, eq, gte, lt } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { requestLog } from '../database/schema.ts'
import { throwStorageError } from '../database/toStorageError.ts'
import type { StoreLog } from '../log/StoreLog.ts'
import { createFlusher } from '../usage/createFlusher.ts'
import { createCallBuffer, type CallKind } from './createCallBuffer.ts'
import { createCallRetention } from './createCallRetention.ts'
import { createCallWriter } from './createCallWriter.ts'
import type { CallFilter, CallRecord, DropReason, LoggedCall } from './LoggedCall.ts'
import * as TimeId from './TimeId.ts'

// One write per second, because a write of the embedded database stops the process for milliseconds.
const gatherMs = 1000
const retentionIntervalMs = 600_000

/**
 * Creates the request log: calls in memory at once, and in the database a second later. Old calls are deleted every ten
 * minutes.
 */
export function createRequestLog(dependencies: createRequestLog.Dependencies): RequestLog {
  const { db, log, now = Date.now, limits = requestLogDefaults, maxBuffered = 5000 } = dependencies
  const { days } = limits
  const buffer = createCallBuffer(maxBuffered)
  const writer = createCallWriter({ ...dependencies, buffer })
  const retention = createCallRetention({ db, now, ...limits })
  const flusher = createFlusher(writer, { gatherMs })
  const timer = setInterval(() => void retention.deleteOld().catch(() => {}), retentionIntervalMs)
  return {
    admit: (keyId, kind) => days > 0 && buffer.admit(keyId, kind, now()),
    add(call) {
      buffer.add({ id: TimeId.create(call.atMs), ...call })
      retention.add(call.keyId)
      flusher.schedule()
    },
    async list(filter) {
      await flusher.flush()
      return await selectCalls(db, filter).catch(throwStorageError)
    },
    flush: flusher.flush,
    deleteOld: retention.deleteOld,
    countDropped: buffer.countDropped,
    async close() {
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
export type RequestLog = {
  /** Returns whether a call of a key is to be added. Counts the call as dropped if the log has no room for it. */
  admit(keyId: string, kind: CallKind): boolean
  /** Adds an admitted call. */
  add(call: LoggedCall): void
  /** Returns the matching calls, newest first. The calls of other processes in the last second may be missing. */
  list(filter: CallFilter): Promise<readonly CallRecord[]>
  /** Writes all calls added until now. */
  flush(): Promise<void>
  /** Deletes the calls beyond the limits, unless another process does. */
  deleteOld(): Promise<void>
  /** Returns the calls that this process has dropped for a reason. */
  countDropped(reason: DropReason): number
  /** Flushes for at most five seconds. */
  close(): Promise<void>
}

async function selectCalls(db: Database['db'], filter: CallFilter): Promise<readonly CallRecord[]> {
  const { fromMs, toMs, before, limit } = filter
  const fields = ['keyId', 'operation', 'status', 'code', 'requestId', 'transactionHash'] as const
  const matches = fields.map((field) => {
    const value = filter[field]
    return value === undefined ? undefined : eq(requestLog[field], value)
  })
  const isListed = and(
    ...matches,
    fromMs === undefined ? undefined : gte(requestLog.id, TimeId.first(fromMs)),
    toMs === undefined ? undefined : lt(requestLog.id, TimeId.first(toMs)),
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
