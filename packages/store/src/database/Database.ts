import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** An open database, embedded or on a server, with the same schema and dialect. */
export type Database = {
  readonly db: PgDatabase<PgQueryResultHKT>
  /** Runs queries in one transaction, and rolls back if one of them fails. */
  transact<Value>(work: (db: Database['db']) => Promise<Value>): Promise<Value>
  /** @throws `svc/storage-unavailable` if the database is known to have no room for what a write needs */
  assertWritable(): Promise<void>
  close(): Promise<void>
}
