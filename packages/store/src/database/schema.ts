import type { Address, Network, Tier } from '@agio/core'
import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const time = (name: string) => timestamp(name, { withTimezone: true })

/** API keys and their applications. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    company: text(),
    email: text().notNull(),
    useCase: text('use_case').notNull(),
    expectedVolume: text('expected_volume').notNull(),
    tier: text().$type<Tier.Tier>().notNull(),
    /** The key's own limits, for tiers that allow them. */
    limits: jsonb().$type<Tier.Limits>(),
    createdAt: time('created_at').notNull(),
    revokedAt: time('revoked_at'),
    /** By the database's clock. Other processes poll this column for changes. */
    changedAt: time('changed_at').notNull().defaultNow(),
  },
  (table) => [index().on(table.changedAt), index().on(table.createdAt.desc().nullsFirst(), table.id)],
)

/** The secrets of a key: the newest secret, and replaced secrets until they expire. */
export const apiSecrets = pgTable(
  'api_secrets',
  {
    /** SHA-256 in hex. The secret itself is never stored. */
    hash: text().primaryKey(),
    keyId: text('key_id')
      .notNull()
      .references(() => apiKeys.id),
    /** The first characters of the secret, which identify it to people. */
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
  writtenAt: time('written_at').notNull().defaultNow(),
})

/** The processes that share the database, each with its last heartbeat by the database's clock. */
export const replicas = pgTable('replicas', {
  id: text().primaryKey(),
  seenAt: time('seen_at').notNull().defaultNow(),
})

/** The secrets that sign quotes. Signing needs the secret itself, not its hash. */
export const quoteSecrets = pgTable('quote_secrets', {
  id: text().primaryKey(),
  /** 256 random bits, in base64. */
  secret: text().notNull(),
  createdAt: time('created_at').notNull().defaultNow(),
  /**
   * When the secret begins to sign, by the database's clock. It is stored earlier, so that every process has read it by
   * then.
   */
  signsFrom: time('signs_from').notNull().defaultNow(),
})

/** The pairs of tokens for which the operator has paused quotes, in both directions. */
export const quotePauses = pgTable(
  'quote_pauses',
  {
    chainId: integer('chain_id').$type<Network.ChainId>().notNull(),
    /** The token with the smaller address. */
    tokenA: text('token_a').$type<Address>().notNull(),
    tokenB: text('token_b').$type<Address>().notNull(),
    pausedAt: time('paused_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.chainId, table.tokenA, table.tokenB] })],
)

/** The webhooks of keys. */
export const webhooks = pgTable(
  'webhooks',
  {
    id: text().primaryKey(),
    keyId: text('key_id')
      .notNull()
      .references(() => apiKeys.id),
    url: text().notNull(),
    /** The types of events that are delivered. */
    events: jsonb().$type<readonly string[]>().notNull(),
    /** `whsec_` and 256 random bits in base64. Signing needs the secret itself, not its hash. */
    secret: text().notNull(),
    /** The secret that a rotation replaced. It also signs until it expires. */
    oldSecret: text('old_secret'),
    oldSecretExpiresAt: time('old_secret_expires_at'),
    createdAt: time('created_at').notNull().defaultNow(),
    /** The time of the first failed attempt since the last success; null after a success. */
    failingSince: time('failing_since'),
    disabledAt: time('disabled_at'),
    disabledReason: text('disabled_reason').$type<'gone' | 'failing'>(),
  },
  (table) => [index().on(table.keyId)],
)

/** The transactions that keys follow. */
export const followedTransactions = pgTable(
  'webhook_watches',
  {
    keyId: text('key_id')
      .notNull()
      .references(() => apiKeys.id),
    chainId: integer('chain_id').$type<Network.ChainId>().notNull(),
    transactionHash: text('transaction_hash').$type<`0x${string}`>().notNull(),
    /** The cursor of the last tracking. Null until a broadcast transaction is first tracked. */
    cursor: text(),
    /** The broadcast transaction, until it is first tracked. */
    signedTransaction: text('signed_transaction').$type<`0x${string}`>(),
    /** Whether the key registered the transaction instead of broadcasting it. */
    isRegistered: boolean('is_registered').notNull().default(false),
    /** The last observed state, as `TransactionState.format` writes it; null before the first observation. */
    status: text(),
    /**
     * Counts the observations and broadcasts. An observation is recorded only if this number has not changed since its
     * start.
     */
    version: integer().notNull().default(0),
    createdAt: time('created_at').notNull().defaultNow(),
    /** When the transaction is next observed, at a new block. */
    dueAt: time('due_at').notNull().defaultNow(),
    /** The newest block at the last observation, and the time of that observation. */
    checkedHead: text('checked_head'),
    checkedNumber: bigint('checked_number', { mode: 'bigint' }),
    checkedAt: time('checked_at'),
    leaseOwner: text('lease_owner'),
    leaseUntil: time('lease_until'),
    /** When the transaction reached its final state, or when it had been followed for too long. */
    endedAt: time('ended_at'),
  },
  (table) => [
    primaryKey({ columns: [table.keyId, table.chainId, table.transactionHash] }),
    index()
      .on(table.chainId, table.dueAt)
      .where(sql`${table.endedAt} is null`),
    index().on(table.endedAt),
    index().on(table.createdAt),
  ],
)

/** The events of each webhook: pending, delivered and given up. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    /** `webhook-id` of the message, the same in all attempts. */
    id: text().primaryKey(),
    webhookId: text('webhook_id')
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    /** The transaction or market. Events of one subject are delivered in order. */
    subject: text().notNull(),
    /** The order of the events. */
    position: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
    type: text().notNull(),
    /** The body of the message, exactly as sent. */
    payload: text().notNull(),
    status: text().$type<'pending' | 'delivered' | 'given-up'>().notNull().default('pending'),
    attempts: integer().notNull().default(0),
    createdAt: time('created_at').notNull().defaultNow(),
    dueAt: time('due_at').notNull().defaultNow(),
    leaseOwner: text('lease_owner'),
    leaseUntil: time('lease_until'),
    lastAttemptAt: time('last_attempt_at'),
    /** HTTP status of the last attempt; null without a response. */
    lastStatus: integer('last_status'),
    /** Why the last attempt failed. */
    lastError: text('last_error'),
    /** When the event was delivered or given up. */
    endedAt: time('ended_at'),
  },
  (table) => [
    index()
      .on(table.webhookId, table.dueAt)
      .where(sql`${table.status} = 'pending'`),
    index()
      .on(table.webhookId, table.subject, table.position)
      .where(sql`${table.status} = 'pending'`),
    index()
      .on(table.webhookId, table.leaseUntil)
      .where(sql`${table.status} = 'pending' and ${table.leaseUntil} is not null`),
    index().on(table.webhookId, table.position),
    index().on(table.endedAt),
  ],
)

/** The last observed state of each market. */
export const marketStates = pgTable(
  'market_states',
  {
    chainId: integer('chain_id').$type<Network.ChainId>().notNull(),
    pool: text().$type<Address>().notNull(),
    state: text().$type<'open' | 'stale' | 'frozen'>().notNull(),
    /** The block at which this state was first observed, so that a lagging replica does not undo it. */
    blockNumber: bigint('block_number', { mode: 'bigint' }).notNull(),
    changedAt: time('changed_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.chainId, table.pool] })],
)
