import { bigint, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { time } from './columns.ts'

/** What operators and API keys changed. Each row contains the hash of the row before. */
export const auditEvents = pgTable(
  'audit_events',
  {
    position: bigint({ mode: 'number' }).primaryKey(),
    /** By the database's clock, in milliseconds. */
    time: time('time').notNull(),
    operator: text().notNull(),
    operation: text().notNull(),
    target: text().notNull(),
    address: text().notNull(),
    requestId: text('request_id').notNull(),
    /** The names of the changed fields. */
    fields: jsonb().$type<readonly string[]>().notNull(),
    previousHash: text('previous_hash').notNull(),
    /** SHA-256 in hex. */
    hash: text().notNull(),
  },
  (table) => [index().on(table.time), index().on(table.target, table.position)],
)

/** The ends of the audit log, in one row, which each writer locks. */
export const auditChain = pgTable('audit_chain', {
  id: integer().primaryKey(),
  /** The newest event. */
  newestPosition: bigint('newest_position', { mode: 'number' }).notNull(),
  newestHash: text('newest_hash').notNull(),
  /** The last event that retention has removed. */
  removedPosition: bigint('removed_position', { mode: 'number' }).notNull(),
  removedHash: text('removed_hash').notNull(),
})
