import type { openStore } from '@agio/store'
import { openDatabase, type Database } from '@agio/store/testing'

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

/** Runs one statement of SQL. */
export async function runSql<Row extends object>(db: Database['db'], statement: string): Promise<readonly Row[]> {
  // Both drivers return rows this way, which is not in the type that they have in common.
  const driver = db as unknown as { execute(statement: string): Promise<{ readonly rows: readonly Row[] }> }
  const { rows } = await driver.execute(statement)
  return rows
}

/** Does work on a database that no store has open. */
export async function withDatabase<Result>(
  location: openStore.Options['location'],
  work: (db: Database['db']) => Promise<Result>,
): Promise<Result> {
  const { db, close } = await openDatabase(location)
  const result = await work(db)
  await close()
  return result
}
