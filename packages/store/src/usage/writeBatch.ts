import { sql } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { usage, usageWriters } from '../database/schema.ts'
import type { Count } from './createWriteBuffer.ts'

/** Adds a batch of counts to the database in one statement, unless this writer has written this batch or a later one. */
export async function writeBatch(
  db: Database['db'],
  writer: string,
  { number, counts }: { readonly number: number; readonly counts: readonly Count[] },
): Promise<void> {
  const rows = counts.map(({ keyId, month, operation, calls, refused, lastCallAtMs }) => ({
    key_id: keyId,
    month,
    operation,
    calls,
    refused,
    last_call_at: lastCallAtMs === undefined ? null : new Date(lastCallAtMs).toISOString(),
  }))
  // Every process writes rows in the same order, so that two writers cannot deadlock.
  await db.execute(sql`
    with claimed as (
      insert into ${usageWriters} (id, batch) values (${writer}, ${number})
      on conflict (id) do update set batch = excluded.batch, written_at = now()
      where ${usageWriters.batch} < excluded.batch
      returning id
    )
    insert into ${usage} (key_id, month, operation, calls, refused, last_call_at)
    select added.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as added (key_id text, month text, operation text, calls bigint, refused bigint, last_call_at timestamptz)
    where exists (select from claimed)
    order by 1, 2, 3
    on conflict (key_id, month, operation) do update set
      calls = ${usage.calls} + excluded.calls,
      refused = ${usage.refused} + excluded.refused,
      last_call_at = greatest(${usage.lastCallAt}, excluded.last_call_at)
  `)
}
