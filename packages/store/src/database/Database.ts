import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { fileURLToPath } from 'node:url'

/** An open database, embedded or on a server, with the same schema and dialect. */
export type Database = {
  readonly db: PgDatabase<PgQueryResultHKT>
  /** Runs queries in one transaction. Rolls back if a query fails. */
  transact<Value>(work: (db: Database['db']) => Promise<Value>): Promise<Value>
  /** Asserts that the database can be written. @throws `svc/storage-unavailable` if its disk is known to be full */
  assertWritable(): Promise<void>
  close(): Promise<void>
}

/** Folder of the SQL migrations, which drizzle-kit generates from the schema. */
export const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url))
