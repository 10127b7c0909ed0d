import type { Address, Network } from '@agio/core'
import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { time, timeOfInsert } from './columns.ts'
import { apiKeys } from './keyTables.ts'

export { apiKeys, apiSecrets } from './keyTables.ts'
export { auditChain, auditEvents } from './auditTables.ts'
export { requestLog } from './requestLogTable.ts'
export { usage, usageDays, usageTotals, usageWriters } from './usageTables.ts'

/** The processes that share the database, each with its last heartbeat by the database's clock. */
export const replicas = pgTable('replicas', {
  id: text().primaryKey(),
  seenAt: timeOfInsert('seen_at'),
})

/** The secrets that sign quotes. Signing needs the secret itself, not its hash. */
export const quoteSecrets = pgTable('quote_secrets', {
  id: text().primaryKey(),
  /** 256 random bits, in base64; encrypted if the service has a master key. */
  secret: text().notNull(),
  createdAt: timeOfInsert('created_at'),
  /**
   * When the secret begins to sign, by the database's clock. It is stored earlier, so that every process has read it by
   * then.
   */
  signsFrom: timeOfInsert('signs_from'),
})

/** The pairs of tokens for which the operator has paused quotes, in both directions. */
export const quotePauses = pgTable(
  'quote_pauses',
  {
    chainId: integer('chain_id').$type<Network.ChainId>().notNull(),
    /** The token with the smaller address. */
    tokenA: text('token_a').$type<Address>().notNull(),
    tokenB: text('token_b').$type<Address>().notNull(),
    pausedAt: timeOfInsert('paused_at'),
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
    /**
     * `whsec_` and 256 random bits in base64, or `whsk_` and the seed of an ed25519 key; encrypted if the service has a
     * master key. Signing needs the secret itself, not its hash.
     */
    secret: text().notNull(),
    /** `whpk_` and the public key, if the messages are signed by ed25519. */
    publicKey: text('public_key'),
    /** The secret that a rotation replaced. It also signs until it expires. */
    oldSecret: text('old_secret'),
    oldSecretExpiresAt: time('old_secret_expires_at'),
    createdAt: timeOfInsert('created_at'),
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
    /** The W3C `traceparent` of the request that began to follow the transaction, if it was traced. */
    traceparent: text(),
    /** The last observed state, as `TransactionState.format` writes it; null before the first observation. */
    status: text(),
    /**
     * Counts the observations and broadcasts. An observation is recorded only if this number has not changed since its
     * start.
     */
    version: integer().notNull().default(0),
    createdAt: timeOfInsert('created_at'),
    /** When the transaction is next observed, at a new block. */
    dueAt: timeOfInsert('due_at'),
    /** When the nodes are next asked about the transaction, even if no block concerns it. Null: at the next observation. */
    pollAt: time('look_at'),
    /** The block that decided the transaction, its own or that of its replacement. Null while it is pending. */
    decidedBlock: bigint('decided_block', { mode: 'bigint' }),
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
      .on(table.chainId, table.keyId, table.dueAt)
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
    /** The transaction or pool. Events of one subject are delivered in order. */
    subject: text().notNull(),
    /** The order of the events. */
    position: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
    type: text().notNull(),
    /** The body of the message, exactly as sent. */
    payload: text().notNull(),
    /** The W3C `traceparent` of the request that caused the event, if it was traced. */
    traceparent: text(),
    status: text().$type<'pending' | 'delivered' | 'given-up'>().notNull().default('pending'),
    attempts: integer().notNull().default(0),
    createdAt: timeOfInsert('created_at'),
    dueAt: timeOfInsert('due_at'),
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

/** The last observed state of each pool, for webhooks. */
export const poolStates = pgTable(
  'market_states',
  {
    chainId: integer('chain_id').$type<Network.ChainId>().notNull(),
    pool: text().$type<Address>().notNull(),
    state: text().$type<'open' | 'stale' | 'frozen'>().notNull(),
    /** The block at which this state was first observed, so that a lagging replica does not undo it. */
    blockNumber: bigint('block_number', { mode: 'bigint' }).notNull(),
    changedAt: timeOfInsert('changed_at'),
  },
  (table) => [primaryKey({ columns: [table.chainId, table.pool] })],
)

/** The first outcomes of calls with an `Idempotency-Key`, for 24 hours. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    /** A hash of caller, operation and key. */
    id: text().primaryKey(),
    /** A hash of the input, keyed by the key. */
    inputHash: text('input_hash').notNull(),
    /** The outcome, encrypted with a key that is derived from the key; null while the call is in progress. */
    outcome: text(),
    /** The id of what the outcome describes, so that its erasure finds the outcome. */
    createdId: text('created_id'),
    /** Identifies the call in progress. */
    claim: text(),
    /** When another call may take over, because the process of the call in progress has died. */
    leaseUntil: time('lease_until').notNull(),
    createdAt: timeOfInsert('created_at'),
  },
  (table) => [index().on(table.createdAt), index().on(table.createdId)],
)
