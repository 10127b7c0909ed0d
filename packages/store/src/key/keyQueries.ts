import { Errors } from '@agio/core'
import { and, desc, eq, getTableColumns, gt, inArray, isNull, sql } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { apiKeys, apiSecrets } from '../database/schema.ts'
import type { KeyRecord } from './ApiKey.ts'
import type { CachedSecret } from './createKeyCache.ts'

type Db = Database['db']

// As text, because a Date is less precise than the database.
const changedAt = sql<string>`extract(epoch from ${apiKeys.changedAt})::text`

/** Returns the key of each secret, by the hash of the secret. The result omits unknown hashes. */
export async function findSecrets(db: Db, hashes: readonly string[]): Promise<ReadonlyMap<string, CachedSecret>> {
  const rows = await db
    .select({ hash: apiSecrets.hash, key: apiKeys, expiresAt: apiSecrets.expiresAt, changedAt })
    .from(apiSecrets)
    .innerJoin(apiKeys, eq(apiKeys.id, apiSecrets.keyId))
    .where(inArray(apiSecrets.hash, [...hashes]))
  return new Map(rows.map(({ hash, ...row }) => [hash, toCachedSecret(row)]))
}

type SecretRow = {
  readonly key: typeof apiKeys.$inferSelect
  readonly expiresAt: Date | null
  readonly changedAt: string
}

function toCachedSecret({ key, expiresAt, changedAt }: SecretRow): CachedSecret {
  const { id, name, tier, limits, revokedAt } = key
  return {
    key: { id, name, tier, limits: limits ?? undefined },
    isRevoked: revokedAt !== null,
    expiresAtMs: expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
    changedAt,
  }
}

/** Returns the record of one key or of all keys, newest first. */
export async function listRecords(db: Db, id?: string): Promise<KeyRecord[]> {
  const { changedAt: _, ...columns } = getTableColumns(apiKeys)
  const rows = await db
    .select({ ...columns, prefix: apiSecrets.prefix })
    .from(apiKeys)
    .innerJoin(apiSecrets, and(eq(apiSecrets.keyId, apiKeys.id), isNull(apiSecrets.expiresAt)))
    .where(id === undefined ? undefined : eq(apiKeys.id, id))
    .orderBy(desc(apiKeys.createdAt), apiKeys.id)
  return rows.map(({ company, limits, revokedAt, ...row }) => ({
    ...row,
    company: company ?? undefined,
    limits: limits ?? undefined,
    revokedAt: revokedAt ?? undefined,
  }))
}

/** Returns the record of a key. @throws `svc/not-found` */
export async function getRecord(db: Db, id: string): Promise<KeyRecord> {
  const [record] = await listRecords(db, id)
  if (record) return record
  throw Errors.notFound({ action: `find key ${id.slice(0, 100)}`, reason: 'no key has this id' })
}

/** Returns the database's time, as text. */
export async function readTime(db: Db): Promise<string> {
  const [time] = await db.select({ now: sql<string>`now()::text` }).from(sql`(select) as one`)
  return String(time?.now)
}

/**
 * Returns the last change of each key that changed since a time of the database, by key id. The minute before that time
 * is included, since a change may be committed late.
 */
export async function readChanges(db: Db, since: string): Promise<ReadonlyMap<string, string>> {
  const isChanged = gt(apiKeys.changedAt, sql`${since}::timestamptz - interval '1 minute'`)
  const changed = await db.select({ id: apiKeys.id, changedAt }).from(apiKeys).where(isChanged)
  return new Map(changed.map((key) => [key.id, key.changedAt]))
}
