import type { Day, Month } from '@agio/core'
import { and, between, eq, inArray, max, sql, sum } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Database } from '../database/Database.ts'
import { usage, usageDays, usageTotals } from '../database/schema.ts'
import { throwStorageError } from '../database/toStorageError.ts'

/**
 * Reads usage from the database.
 *
 * @param flush writes the counts of this process, so that a query includes them
 */
export function createUsageQueries(db: Database['db'], flush: () => Promise<void>) {
  return {
    /** Returns the calls of all keys in a month. The latest counts of other processes may be missing. */
    async readTotals(month: Month.Month): Promise<{ readonly calls: number; readonly refused: number }> {
      await flush()
      const { calls, refused } = usageTotals
      const rows = db.select({ calls, refused }).from(usageTotals).where(eq(usageTotals.month, month))
      return (await rows.catch(throwStorageError))[0] ?? { calls: 0, refused: 0 }
    },
    /** Returns the usage of keys in a month. The latest counts of other processes may be missing. */
    async readMonth(month: Month.Month, keyIds: readonly string[]): Promise<readonly UsageRow[]> {
      await flush()
      const rows = db
        .select()
        .from(usage)
        .where(and(inArray(usage.keyId, [...keyIds]), eq(usage.month, month)))
        .orderBy(usage.keyId, usage.operation)
      return await rows.catch(throwStorageError)
    },
    /**
     * Returns the usage of keys on each day of a month, as the sum of all operations. Days without calls are absent.
     */
    async readDays(month: Month.Month, keyIds: readonly string[]): Promise<readonly KeyDay[]> {
      await flush()
      return await selectDays(db, month, keyIds).catch(throwStorageError)
    },
    /** Returns the usage of one key in a month and on each of its days, as of the same moment. */
    async readKeyMonth(keyId: string, month: Month.Month): Promise<KeyMonth> {
      await flush()
      const rows = await selectKeyMonth(db, keyId, month).catch(throwStorageError)
      const toCalls = ({ day: _, ...row }: (typeof rows)[number]): OperationCalls => row
      return {
        operations: rows.filter(({ day }) => day === null).map(toCalls),
        days: rows.flatMap(({ day, ...row }) => (day === null ? [] : [{ day, ...row }])),
      }
    },
    /** Returns the admitted calls of a key in a month. */
    async readCalls(keyId: string, month: Month.Month): Promise<number> {
      await flush()
      const rows = db
        .select({ calls: sum(usage.calls) })
        .from(usage)
        .where(and(eq(usage.keyId, keyId), eq(usage.month, month)))
      return Number((await rows.catch(throwStorageError))[0]?.calls ?? 0)
    },
    /** Returns when a call of each key was last admitted. Keys without admitted calls are absent. */
    async readLastUsed(keyIds: readonly string[]): Promise<ReadonlyMap<string, Date>> {
      await flush()
      const rows = db
        .select({ keyId: usage.keyId, at: max(usage.lastCallAt) })
        .from(usage)
        .where(inArray(usage.keyId, [...keyIds]))
        .groupBy(usage.keyId)
      return new Map((await rows.catch(throwStorageError)).flatMap(({ keyId, at }) => (at ? [[keyId, at]] : [])))
    },
  }
}

/** The calls of one operation with one key in one month, as stored. */
export type UsageRow = typeof usage.$inferSelect

/** The calls of one key on one day. */
export type KeyDay = { readonly keyId: string; readonly day: Day.Day; readonly calls: number; readonly refused: number }

/**
 * The calls of one key in one month, by operation, and by day and operation. Calls that an older version counted have
 * no day.
 */
export type KeyMonth = {
  readonly operations: readonly OperationCalls[]
  readonly days: readonly (OperationCalls & { readonly day: Day.Day })[]
}

/** The calls of one operation. */
export type OperationCalls = { readonly operation: string; readonly calls: number; readonly refused: number }

/** The days 1 to 31 of a month, even if the month is shorter. */
const isIn = (month: Month.Month) => between(usageDays.day, `${month}-01`, `${month}-31`)

function selectDays(db: Database['db'], month: Month.Month, keyIds: readonly string[]) {
  const { keyId, day, calls, refused } = usageDays
  return db
    .select({ keyId, day, calls: sum(calls).mapWith(Number), refused: sum(refused).mapWith(Number) })
    .from(usageDays)
    .where(and(inArray(usageDays.keyId, [...keyIds]), isIn(month)))
    .groupBy(keyId, day)
    .orderBy(keyId, day)
}

/** Selects both tables in one statement, so that the days add up to the month. */
function selectKeyMonth(db: Database['db'], keyId: string, month: Month.Month) {
  const { operation, calls, refused, day } = usageDays
  const months = db
    .select({ day: sql<string | null>`null`, operation: usage.operation, calls: usage.calls, refused: usage.refused })
    .from(usage)
    .where(and(eq(usage.keyId, keyId), eq(usage.month, month)))
  const days = db
    .select({ day: sql<string | null>`${day}`, operation, calls, refused })
    .from(usageDays)
    .where(and(eq(usageDays.keyId, keyId), isIn(month)))
  return unionAll(months, days).orderBy(sql`1, 2`)
}
