import { sql } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { usage, usageDays, usageWriters } from '../database/schema.ts'
import type { Count } from './createWriteBuffer.ts'

/**
 * Adds a batch of counts to their months and days in one statement, unless this writer has written this batch or a
 * later batch. A batch has one count for each key, day and operation.
 */
export async function writeBatch(
  db: Database['db'],
  writer: string,
  { number, counts }: { readonly number: number; readonly counts: readonly Count[] },
): Promise<void> {
  const rows = counts.map(({ keyId, day, operation, calls, refused, lastCallAtMs }) => ({
    key_id: keyId,
    day,
    operation,
    calls,
    refused,
    last_call_at: lastCallAtMs === undefined ? null : new Date(lastCallAtMs).toISOString(),
  }))
  // Every process writes rows in the same order, months before days, so that two writers cannot deadlock. Days of one
  // month are summed first, because one statement cannot update a row twice.
  await db.execute(sql`
    with claimed as (
      insert into ${usageWriters} (id, batch) values (${writer}, ${number})
      on conflict (id) do update set batch = excluded.batch, written_at = now()
      where ${usageWriters.batch} < excluded.batch
      returning id
    ), added as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as added (key_id text, day text, operation text, calls bigint, refused bigint, last_call_at timestamptz)
      where exists (select from claimed)
    ), months as (
      insert into ${usage} (key_id, month, operation, calls, refused, last_call_at)
      select key_id, left(day, 7), operation, sum(calls), sum(refused), max(last_call_at) from added
      group by 1, 2, 3
      order by 1, 2, 3
      on conflict (key_id, month, operation) do update set
        calls = ${usage.calls} + excluded.calls,
        refused = ${usage.refused} + excluded.refused,
        last_call_at = greatest(${usage.lastCallAt}, excluded.last_call_at)
      returning key_id
    )
    insert into ${usageDays} (key_id, day, operation, calls, refused)
    select key_id, day, operation, calls, refused from added
    where (select count(*) from months) > 0
    order by 1, 2, 3
    on conflict (key_id, day, operation) do update set
      calls = ${usageDays.calls} + excluded.calls,
      refused = ${usageDays.refused} + excluded.refused
  `)
}
