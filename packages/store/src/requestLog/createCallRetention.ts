import { and, desc, eq, lt, lte, sql, type SQL } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { requestLog } from '../database/schema.ts'
import { throwStorageError } from '../database/toStorageError.ts'
import * as TimeId from './TimeId.ts'

const dayMs = 86_400_000
// Small enough that no other statement waits for long.
const maxBatchRows = 500

// An arbitrary id, the same in every process.
const retentionLock = 1_873_940_266

/** Deletes the calls that exceed the age of the log, or the number of calls of a key. */
export function createCallRetention({ db, now, days, maxRows }: createCallRetention.Dependencies): CallRetention {
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
      await deleteAll(lt(requestLog.id, TimeId.first(now() - days * dayMs)))
      for (const keyId of keyIds) await deleteAboveMaximum(keyId)
    } catch (error) {
      for (const keyId of keyIds) changed.add(keyId)
      throw error
    }
  }
  return { add: (keyId) => void changed.add(keyId), deleteOld: () => deleteOld().catch(throwStorageError) }
}

export declare namespace createCallRetention {
  type Dependencies = Pick<Database, 'db'> & {
    readonly now: () => number
    /** The age of the oldest calls, in days. */
    readonly days: number
    /** The largest number of calls of a key. */
    readonly maxRows: number
  }
}

/** Deletes old calls. */
export type CallRetention = {
  /** Notes that a key has a new call. */
  add(keyId: string): void
  /** Deletes the calls beyond the limits. Does nothing while another process does. @throws `svc/storage-unavailable` */
  deleteOld(): Promise<void>
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
