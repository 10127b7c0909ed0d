import { inArray, sql, type SQL } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { batchSize, changeInBatches } from '../database/changeInBatches.ts'
import { usage, usageDays, usageTotals } from '../database/schema.ts'

/**
 * Deletes the usage of whole months that ended before a number of days, in bounded batches. The current month remains, because
 * quotas count it.
 *
 * @param signal ends the deletion after the current batch
 */
export async function deleteOldUsage({ db, assertWritable }: Dependencies, days: number, signal?: AbortSignal) {
  await assertWritable?.()
  // The month of the oldest day that is kept, in UTC.
  const kept = sql`to_char((now() at time zone 'UTC') - ${days} * interval '1 day', 'YYYY-MM')`
  // Of several processes, each deletes other rows.
  const select = (columns: SQL, table: typeof usage | typeof usageDays, isOld: SQL) =>
    sql`select ${columns} from ${table} where ${isOld} limit ${batchSize} for update skip locked`
  const keyMonths = sql`(${usage.keyId}, ${usage.month}, ${usage.operation})`
  const oldMonths = select(sql`key_id, month, operation`, usage, sql`month < ${kept}`)
  await changeInBatches(
    () =>
      db
        .delete(usage)
        .where(sql`${keyMonths} in (${oldMonths})`)
        .returning({ keyId: usage.keyId }),
    signal,
  )
  const keyDays = sql`(${usageDays.keyId}, ${usageDays.day}, ${usageDays.operation})`
  const oldDays = select(sql`key_id, day, operation`, usageDays, sql`day < ${kept}`)
  await changeInBatches(
    () =>
      db
        .delete(usageDays)
        .where(sql`${keyDays} in (${oldDays})`)
        .returning({ keyId: usageDays.keyId }),
    signal,
  )
  // A trigger has subtracted the deleted rows. A total that is not zero has rows left.
  const isEmpty = sql`${usageTotals.calls} = 0 and ${usageTotals.refused} = 0`
  const empty = db
    .select({ month: usageTotals.month })
    .from(usageTotals)
    .where(sql`${isEmpty} and month < ${kept}`)
  await db.delete(usageTotals).where(inArray(usageTotals.month, empty))
}

type Dependencies = Pick<Database, 'db'> & { readonly assertWritable?: Database['assertWritable'] | undefined }
