import type { Month } from '@agio/core'
import { and, eq, max, sum } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { usage } from '../database/schema.ts'
import { throwStorageError } from '../database/toStorageError.ts'

/**
 * Reads usage from the database.
 *
 * @param flush writes the counts of this process, so that a query includes them
 */
export function createUsageQueries(db: Database['db'], flush: () => Promise<void>): UsageQueries {
  return {
    async readMonth(month) {
      await flush()
      const rows = db.select().from(usage).where(eq(usage.month, month)).orderBy(usage.keyId, usage.operation)
      return await rows.catch(throwStorageError)
    },
    async readCalls(keyId, month) {
      await flush()
      const rows = db
        .select({ calls: sum(usage.calls) })
        .from(usage)
        .where(and(eq(usage.keyId, keyId), eq(usage.month, month)))
      return Number((await rows.catch(throwStorageError))[0]?.calls ?? 0)
    },
    async readLastUsed() {
      const rows = db
        .select({ keyId: usage.keyId, at: max(usage.lastCallAt) })
        .from(usage)
        .groupBy(usage.keyId)
      return new Map((await rows.catch(throwStorageError)).flatMap(({ keyId, at }) => (at ? [[keyId, at]] : [])))
    },
  }
}

export type UsageQueries = {
  /** Returns the usage of a month. Counts that other processes recorded within the last moment may be missing. */
  readMonth(month: Month.Month): Promise<readonly UsageRow[]>
  /** Returns the admitted calls of a key in a month. */
  readCalls(keyId: string, month: Month.Month): Promise<number>
  /** Returns when each key was last admitted; keys that never were are absent. */
  readLastUsed(): Promise<ReadonlyMap<string, Date>>
}

/** The calls of one operation with one key in one month, as stored. */
export type UsageRow = typeof usage.$inferSelect
