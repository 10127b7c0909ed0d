import { Errors, Scope, type ServiceError } from '@agio/core'
import { and, count, desc, eq, getTableColumns, gt, inArray, isNull, sql, type SQL } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { apiKeys, apiSecrets } from '../database/schema.ts'
import type { KeyPage, KeyRecord, KeyRestrictions, PageOptions } from './ApiKey.ts'
import type { CachedSecret } from './createKeyCache.ts'

type Db = Database['db']

// As text, because a Date is less precise than the database.
const changedAt = sql<string>`extract(epoch from ${apiKeys.changedAt})::text`

/** Returns the key of each secret, by the hash of the secret. The result omits unknown hashes. */
export async function findSecrets(db: Db, hashes: readonly string[]): Promise<ReadonlyMap<string, StoredSecret>> {
  const { expiresAt, requestedBy } = apiSecrets
  const rows = await db
    .select({ hash: apiSecrets.hash, key: apiKeys, expiresAt, requestedBy, changedAt })
    .from(apiSecrets)
    .innerJoin(apiKeys, eq(apiKeys.id, apiSecrets.keyId))
    .where(inArray(apiSecrets.hash, [...hashes]))
  return new Map(rows.map(({ hash, ...row }) => [hash, toCachedSecret(row)]))
}

/** A secret, and the secret whose repeated rotations its first use ends, by its hash. */
type StoredSecret = CachedSecret & { readonly requestedBy: string | null }

type SecretRow = {
  readonly key: typeof apiKeys.$inferSelect
  readonly expiresAt: Date | null
  readonly requestedBy: string | null
  readonly changedAt: string
}

function toCachedSecret({ key, expiresAt, ...row }: SecretRow): StoredSecret {
  const { id, name, tier, limits, revokedAt } = key
  return {
    key: { id, name, tier, limits: limits ?? undefined, restrictions: findRestrictions(key) },
    isRevoked: revokedAt !== null,
    expiresAtMs: expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
    ...row,
  }
}

/** Returns the restrictions of a key; undefined for a key without any. */
function findRestrictions(key: SecretRow['key']): KeyRestrictions | undefined {
  const restrictions = toRestrictions(key)
  const { scopes, expiresAt, allowedCidrs, allowedOrigins } = restrictions
  return scopes || expiresAt || allowedCidrs || allowedOrigins ? restrictions : undefined
}

function toRestrictions(key: Pick<SecretRow['key'], keyof KeyRestrictions | 'kind'>) {
  const { kind, scopes, expiresAt, allowedCidrs, isCidrDryRun, allowedOrigins } = key
  return {
    scopes: kind === 'publishable' ? Scope.publishable : (scopes ?? undefined),
    expiresAt: expiresAt ?? undefined,
    allowedCidrs: allowedCidrs ?? undefined,
    isCidrDryRun: isCidrDryRun ?? undefined,
    allowedOrigins: allowedOrigins ?? undefined,
  } satisfies KeyRestrictions
}

/** Returns one page of the records of all keys, newest first, and the number of all keys. */
export async function listRecords(db: Db, { page, limit }: PageOptions): Promise<KeyPage> {
  const ids = db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .orderBy(desc(apiKeys.createdAt), apiKeys.id)
    .limit(limit)
    .offset((page - 1) * limit)
  const [records, [all]] = await Promise.all([
    selectRecords(db, inArray(apiKeys.id, ids)),
    db.select({ total: count() }).from(apiKeys),
  ])
  return { keys: records, total: all?.total ?? 0 }
}

/** Returns the record of a key, or undefined for an unknown id. */
export async function findRecord(db: Db, id: string): Promise<KeyRecord | undefined> {
  const [record] = await selectRecords(db, eq(apiKeys.id, id))
  return record
}

async function selectRecords(db: Db, condition: SQL): Promise<readonly KeyRecord[]> {
  const { changedAt: _, ...columns } = getTableColumns(apiKeys)
  // A repeated rotation leaves a key with two secrets that do not expire.
  const newest = db
    .select({ prefix: apiSecrets.prefix })
    .from(apiSecrets)
    .where(and(eq(apiSecrets.keyId, apiKeys.id), isNull(apiSecrets.expiresAt)))
    .orderBy(desc(apiSecrets.createdAt))
    .limit(1)
    .as('newest')
  const rows = await db
    .select({ ...columns, prefix: newest.prefix })
    .from(apiKeys)
    .innerJoinLateral(newest, sql`true`)
    .where(condition)
    .orderBy(desc(apiKeys.createdAt), apiKeys.id)
  return rows.map(({ company, limits, revokedAt, ...row }) => ({
    ...row,
    ...toRestrictions(row),
    kind: row.kind ?? 'secret',
    company: company ?? undefined,
    limits: limits ?? undefined,
    revokedAt: revokedAt ?? undefined,
  }))
}

/** Returns the record of a key. @throws `svc/not-found` */
export async function getRecord(db: Db, id: string): Promise<KeyRecord> {
  const record = await findRecord(db, id)
  if (record) return record
  throw toUnknownKey(id)
}

/** Returns the error for an id that no key has. */
export function toUnknownKey(id: string): ServiceError {
  return Errors.notFound({ action: `find key ${id.slice(0, 100)}`, reason: 'no key has this id' })
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
