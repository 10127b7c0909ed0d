import type { Database } from '../../packages/store/src/database/Database.ts'
import { runSql } from './runSql.ts'

/** Returns every row of every table as text. */
export async function dumpDatabase(db: Database['db']): Promise<string> {
  const read = (statement: string) => runSql<{ readonly value: string }>(db, statement)
  const tables = await read(`
    select format('%I.%I', table_schema, table_name) as value from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema')`)
  const contents = await Promise.all(
    tables.map(({ value }) => read(`select '${value}: ' || entry::text as value from ${value} as entry`)),
  )
  return contents.flatMap((rows) => rows.map(({ value }) => value)).join('\n')
}
