import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** An open database, embedded or not: one dialect, one schema. */
export type Database = {
  readonly db: PgDatabase<PgQueryResultHKT>
  /** Does all of some work or none of it. */
  transact<Value>(work: (db: Database['db']) => Promise<Value>): Promise<Value>
  close(): Promise<void>
}
