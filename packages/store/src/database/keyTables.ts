import type { Scope, Tier } from '@agio/core'
import { sql } from 'drizzle-orm'
import { boolean, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { time, timeOfInsert } from './columns.ts'

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
    /** Null for a key of a version that had only secret keys. */
    kind: text().$type<'secret' | 'publishable'>(),
    /** What the key may do; null for all scopes. */
    scopes: jsonb().$type<readonly Scope.Scope[]>(),
    /** When the key expires, with all of its secrets. */
    expiresAt: time('expires_at'),
    /** The client addresses that may use the key; null for all. */
    allowedCidrs: jsonb('allowed_cidrs').$type<readonly string[]>(),
    /** Whether requests from other addresses are only logged. */
    isCidrDryRun: boolean('is_cidr_dry_run'),
    /** The origins whose pages may use the key; null for all, and for clients without an origin. */
    allowedOrigins: jsonb('allowed_origins').$type<readonly string[]>(),
    createdAt: time('created_at').notNull(),
    revokedAt: time('revoked_at'),
    /** By the database's clock. Other processes poll this column for changes. */
    changedAt: timeOfInsert('changed_at'),
  },
  (table) => [
    index().on(table.changedAt),
    index().on(table.createdAt.desc().nullsFirst(), table.id),
    index('api_keys_with_origins')
      .on(table.id)
      .where(sql`${table.allowedOrigins} is not null`),
  ],
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
    /**
     * The hash of the secret that requested this one, until a secret that it requested is first used. Until then, the response
     * may have been lost, and the replaced secret may rotate again.
     */
    requestedBy: text('requested_by'),
  },
  (table) => [index().on(table.keyId)],
)
