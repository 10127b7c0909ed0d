import type { Limits, Tier } from '@agio/core'
import { bigint, index, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const time = (name: string) => timestamp(name, { withTimezone: true })

/** Who may call the service, and who asked for it. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    company: text(),
    email: text().notNull(),
    useCase: text('use_case').notNull(),
    expectedVolume: text('expected_volume').notNull(),
    tier: text().$type<Tier>().notNull(),
    /** The key's own limits, for tiers that leave them to the key. */
    limits: jsonb().$type<Limits>(),
    createdAt: time('created_at').notNull(),
    revokedAt: time('revoked_at'),
    /** By the database's clock: how other processes learn of a change. */
    changedAt: time('changed_at').notNull().defaultNow(),
  },
  (table) => [index().on(table.changedAt)],
)

/** The secrets of a key: its newest one, and those that a rotation has left working for a while. */
export const apiSecrets = pgTable(
  'api_secrets',
  {
    /** SHA-256 in hex. The secret itself is never stored. */
    hash: text().primaryKey(),
    keyId: text('key_id')
      .notNull()
      .references(() => apiKeys.id),
    /** The first characters of the secret, to tell keys apart by. */
    prefix: text().notNull(),
    createdAt: time('created_at').notNull(),
    /** Set once a newer secret has taken over. */
    expiresAt: time('expires_at'),
  },
  (table) => [index().on(table.keyId)],
)

/** What was called, by key, month and operation. */
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
    /** When it was last admitted. */
    lastCallAt: time('last_call_at'),
  },
  (table) => [primaryKey({ columns: [table.keyId, table.month, table.operation] })],
)

/** The last batch of counts that each process has written: one written twice is told by it, and left out. */
export const usageWriters = pgTable('usage_writers', {
  id: text().primaryKey(),
  batch: bigint({ mode: 'number' }).notNull(),
  writtenAt: time('written_at').notNull().defaultNow(),
})
