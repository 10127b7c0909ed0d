import type { Database } from '../../packages/store/src/database/Database.ts'

/** Runs one statement of SQL. */
export async function runSql<Row extends object>(db: Database['db'], statement: string): Promise<readonly Row[]> {
  // Both drivers return rows this way, which is not in the type that they have in common.
  const driver = db as unknown as { execute(statement: string): Promise<{ readonly rows: readonly Row[] }> }
  const { rows } = await driver.execute(statement)
  return rows
}
