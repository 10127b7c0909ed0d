import { bigint, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { time, timeOfInsert } from './columns.ts'

/** Calls by key, month and operation. */
export const usage = pgTable(
  'usage',
  {
    keyId: text('key_id').notNull(),
    /** `YYYY-MM`, UTC. */
    month: text().notNull(),
    operation: text().notNull(),
    /** Admitted calls. */
    calls: bigint({ mode: 'number' }).notNull(),
    /** Calls refused by a limit or a quota. */
    refused: bigint({ mode: 'number' }).notNull(),
    /** When a call was last admitted; null if all were refused. */
    lastCallAt: time('last_call_at'),
  },
  (table) => [primaryKey({ columns: [table.keyId, table.month, table.operation] })],
)

/**
 * Calls by key, day and operation. Their sums are the rows of `usage`, except for calls that an older version counted
 * without days.
 */
export const usageDays = pgTable(
  'usage_days',
  {
    keyId: text('key_id').notNull(),
    /** `YYYY-MM-DD`, UTC. */
    day: text().notNull(),
    operation: text().notNull(),
    /** Admitted calls. */
    calls: bigint({ mode: 'number' }).notNull(),
    /** Calls refused by a limit or a quota. */
    refused: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.keyId, table.day, table.operation] }), index().on(table.day)],
)

/**
 * Calls of all keys by month. A trigger adds each change of `usage`, so that versions that do not know this table count
 * in it too.
 */
export const usageTotals = pgTable('usage_totals', {
  /** `YYYY-MM`, UTC. */
  month: text().primaryKey(),
  /** Admitted calls. */
  calls: bigint({ mode: 'number' }).notNull(),
  /** Calls refused by a limit or a quota. */
  refused: bigint({ mode: 'number' }).notNull(),
})

/** The number of the last batch that each process wrote, so that no batch is added twice. */
export const usageWriters = pgTable('usage_writers', {
  id: text().primaryKey(),
  batch: bigint({ mode: 'number' }).notNull(),
  writtenAt: timeOfInsert('written_at'),
})
