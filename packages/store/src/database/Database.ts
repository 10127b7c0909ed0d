import type { FileHandle } from 'node:fs/promises'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { RowSnapshot } from './snapshotRows.ts'

/** An open database, embedded or on a server, with the same schema and dialect. */
export type Database = {
  readonly db: PgDatabase<PgQueryResultHKT>
  /** Runs queries in one transaction. Rolls back if a query fails. */
  transact<Value>(work: (db: Database['db']) => Promise<Value>): Promise<Value>
  /** Asserts that the database can be written. @throws `svc/storage-unavailable` if its disk is known to be full */
  assertWritable(): Promise<void>
  /** What only an embedded database can do; undefined for a server, which other processes share. */
  readonly embedded?: EmbeddedDatabase | undefined
  /** Returns the connections of the pool; undefined for an embedded database, which has none. */
  countConnections(): PoolConnections | undefined
  close(): Promise<void>
}

/** The connections of a pool: used by statements and not used, and the statements that wait for one. */
export type PoolConnections = { readonly busy: number; readonly idle: number; readonly waiting: number }

/** Runs a statement or a transaction of the database, and observes its time and its outcome. */
export type ObserveQuery = <Value>(kind: 'query' | 'transaction', run: () => Promise<Value>) => Promise<Value>

/** Runs a statement or a transaction without observing it. */
export const unobserved: ObserveQuery = (_, run) => run()

/** Runs in the transaction that has created something, so that both are stored or neither. */
export type Finish<Created> = (tx: Database['db'], created: Created) => Promise<void>

/** The functions of an embedded database: for backups, and for a local stack. */
type EmbeddedDatabase = {
  /** Moves the time of all later statements ahead of the system's clock, except the time of leases. */
  moveTime(aheadMs: number): Promise<void>
  /** Writes a copy of the database to a new file, as a compressed tar archive. Returns its size in bytes. */
  archive(file: FileHandle): Promise<number>
  /** Copies all rows. */
  snapshotRows(): Promise<RowSnapshot>
}
