import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** An open database, embedded or not: one dialect, one schema. */
export type Database = {
  readonly db: PgDatabase<PgQueryResultHKT>
  close(): Promise<void>
}
