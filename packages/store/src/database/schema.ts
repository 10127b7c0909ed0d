import type { Address, ChainId, Limits, Tier } from '@agio/core'
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const time = (name: string) => timestamp(name, { withTimezone: true })

/** API keys, and the applications for them. */
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
    /** Limits of this key alone, for tiers that allow them. */
    limits: jsonb().$type<Limits>(),
    createdAt: time('created_at').notNull(),
    revokedAt: time('revoked_at'),
    /** By the database's clock. Other processes poll it for changes. */
    changedAt: time('changed_at').notNull().defaultNow(),
  },
  (table) => [index().on(table.changedAt)],
)

/** The secrets of a key: the newest one, and those that expire after a rotation. */
export const apiSecrets = pgTable(
  'api_secrets',
  {
    /** SHA-256 in hex. The secret itself is never stored. */
    hash: text().primaryKey(),
    keyId: text('key_id')
      .notNull()
      .references(() => apiKeys.id),
    /** The first characters of the secret, to recognize a key by. */
    prefix: text().notNull(),
    createdAt: time('created_at').notNull(),
    /** Set when a rotation replaces the secret. */
    expiresAt: time('expires_at'),
  },
  (table) => [index().on(table.keyId)],
)

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

/** Calls by key, day and operation: the months of `usage` in their parts. Calls that an older version counted are in no day. */
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

/** The number of the last batch that each process wrote, so that a batch is never added twice. */
export const usageWriters = pgTable('usage_writers', {
  id: text().primaryKey(),
  batch: bigint({ mode: 'number' }).notNull(),
  writtenAt: time('written_at').notNull().defaultNow(),
})

/** The processes that share the database, each with its last heartbeat by the database's clock. */
export const replicas = pgTable('replicas', {
  id: text().primaryKey(),
  seenAt: time('seen_at').notNull().defaultNow(),
})

/** The secrets that sign quotes. Signing needs the secret itself, which a hash could not replace. */
export const quoteSecrets = pgTable('quote_secrets', {
  id: text().primaryKey(),
  /** 256 random bits, in base64. */
  secret: text().notNull(),
  createdAt: time('created_at').notNull().defaultNow(),
  /** When it begins to sign, by the database's clock: later than it was stored, so that every process knows it by then. */
  signsFrom: time('signs_from').notNull().defaultNow(),
})

/** The pairs of tokens for which the operator has paused quotes, in both directions. */
export const quotePauses = pgTable(
  'quote_pauses',
  {
    chainId: integer('chain_id').$type<ChainId>().notNull(),
    /** The token whose address is the smaller one. */
    tokenA: text('token_a').$type<Address>().notNull(),
    tokenB: text('token_b').$type<Address>().notNull(),
    pausedAt: time('paused_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.chainId, table.tokenA, table.tokenB] })],
)
