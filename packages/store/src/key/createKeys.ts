import { randomBytes } from 'node:crypto'
import { ServiceError } from '@agio/core'
import { and, desc, eq, getTableColumns, gt, isNull, or, sql } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { apiKeys, apiSecrets } from '../database/schema.ts'
import { toStorageError } from '../database/toStorageError.ts'
import type { ApiKey, KeyApplication, IssuedKey, KeyRecord } from './ApiKey.ts'
import { createKeyCache, type KnownSecret } from './createKeyCache.ts'
import { createSecret, hashSecret, prefixOf } from './secrets.ts'

// In the words of the database, which knows it more finely than a Date does.
const changedAt = sql<string>`extract(epoch from ${apiKeys.changedAt})::text`

/**
 * The keys of a database: look-ups from memory where a secret is known, the operator's changes, and word of the changes
 * that other processes made.
 */
export function createKeys({ db, transact, now = Date.now, cacheSize }: createKeys.Settings): Keys {
  const cache = createKeyCache(cacheSize)
  const reading = new Map<string, Promise<KnownSecret | undefined>>()

  async function read(hash: string): Promise<KnownSecret | undefined> {
    const [row] = await db
      .select({ key: apiKeys, expiresAt: apiSecrets.expiresAt, changedAt })
      .from(apiSecrets)
      .innerJoin(apiKeys, eq(apiKeys.id, apiSecrets.keyId))
      .where(eq(apiSecrets.hash, hash))
    if (!row) return undefined
    const { id, name, tier, limits, revokedAt } = row.key
    return {
      key: { id, name, tier, limits: limits ?? undefined },
      isRevoked: revokedAt !== null,
      expiresAtMs: row.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
      changedAt: row.changedAt,
    }
  }
  /** Reads a secret that is not known, once for all who ask at the same time. */
  function readOnce(hash: string): Promise<KnownSecret | undefined> {
    const underway = reading.get(hash)
    if (underway) return underway
    const started = read(hash).finally(() => reading.delete(hash))
    reading.set(hash, started)
    return started
  }
  async function insert(
    id: string,
    { secret, ...application }: KeyApplication & { secret: string },
  ): Promise<KeyRecord> {
    const createdAt = new Date(now())
    const prefix = prefixOf(secret)
    await transact(async (tx) => {
      await tx.insert(apiKeys).values({ ...application, id, createdAt })
      await tx.insert(apiSecrets).values({ hash: hashSecret(secret), keyId: id, prefix, createdAt })
    })
    return { ...application, id, prefix, createdAt }
  }
  async function listRecords(id?: string): Promise<KeyRecord[]> {
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
  async function getRecord(id: string): Promise<KeyRecord> {
    const [record] = await listRecords(id)
    if (record) return record
    throw new ServiceError('svc/not-found', `Cannot find key ${id.slice(0, 100)}: it was never issued`, {})
  }
  return {
    findKnown(secret) {
      const known = cache.get(hashSecret(secret))
      return known && toFound(known, now())
    },
    async find(secret) {
      const hash = hashSecret(secret)
      const known = cache.get(hash) ?? (await readOnce(hash).catch(rethrowStorage))
      if (!known) return undefined
      cache.set(hash, known)
      return toFound(known, now())
    },
    async create(application) {
      const secret = createSecret()
      const id = `key_${randomBytes(9).toString('base64url')}`
      return { key: await insert(id, { ...application, secret }).catch(rethrowStorage), secret }
    },
    async ensure({ id, ...key }) {
      const isThere = async () => (await listRecords(id).catch(rethrowStorage)).length > 0
      if (await isThere()) return
      await insert(id, key).catch(async (error: unknown) => {
        // Another process may have made it meanwhile.
        if (!(await isThere())) rethrowStorage(error)
      })
    },
    list: () => listRecords().catch(rethrowStorage),
    async rotate(id, overlapSeconds) {
      const secret = createSecret()
      const createdAt = new Date(now())
      const expiresAt = new Date(now() + overlapSeconds * 1000)
      const rotate = transact(async (tx) => {
        const [key] = await tx.select().from(apiKeys).where(eq(apiKeys.id, id)).for('update')
        if (key?.revokedAt) throw new ServiceError('svc/key-revoked', `Cannot rotate key ${id}: it was revoked`, {})
        if (!key) return
        // Secrets of earlier rotations work no longer than the one that is replaced now.
        await tx
          .update(apiSecrets)
          .set({ expiresAt })
          .where(and(eq(apiSecrets.keyId, id), or(isNull(apiSecrets.expiresAt), gt(apiSecrets.expiresAt, expiresAt))))
        await tx.insert(apiSecrets).values({ hash: hashSecret(secret), keyId: id, prefix: prefixOf(secret), createdAt })
        await tx
          .update(apiKeys)
          .set({ changedAt: sql`now()` })
          .where(eq(apiKeys.id, id))
      })
      await rotate.catch(rethrowStorage)
      cache.forget(id)
      return { key: await getRecord(id).catch(rethrowStorage), secret, oldSecretsExpireAt: expiresAt }
    },
    async revoke(id) {
      await db
        .update(apiKeys)
        .set({ revokedAt: new Date(now()), changedAt: sql`now()` })
        .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
        .catch(rethrowStorage)
      cache.forget(id)
      return await getRecord(id).catch(rethrowStorage)
    },
    async forgetChanged(since) {
      const [time] = await db.select({ now: sql<string>`now()::text` }).from(sql`(select) as one`)
      if (since !== undefined) {
        const isChanged = gt(apiKeys.changedAt, sql`${since}::timestamptz - interval '1 minute'`)
        const changed = await db.select({ id: apiKeys.id, changedAt }).from(apiKeys).where(isChanged)
        cache.forgetChanged(new Map(changed.map((key) => [key.id, key.changedAt])))
      }
      return String(time?.now)
    },
  }
}

export declare namespace createKeys {
  type Settings = Pick<Database, 'db' | 'transact'> & {
    readonly now?: (() => number) | undefined
    /** How many secrets are kept in memory; 10,000 by default. */
    readonly cacheSize?: number | undefined
  }
}

/** Every method that reads or writes throws `svc/storage-unavailable` if the database cannot be reached. */
export type Keys = {
  /** What a secret opens, if it was seen before; needs no database. */
  findKnown(secret: string): FoundKey | undefined
  /** What a secret opens, by one indexed look-up if it was not seen before. */
  find(secret: string): Promise<FoundKey | undefined>
  create(application: KeyApplication): Promise<IssuedKey>
  /** Creates a key with a given secret, unless there is one of its id. */
  ensure(key: KeyApplication & { readonly id: string; readonly secret: string }): Promise<void>
  /** All keys, the newest first. */
  list(): Promise<readonly KeyRecord[]>
  /**
   * Gives a key a new secret. Its older ones work on for an overlap.
   *
   * @throws `svc/not-found`; `svc/key-revoked`
   */
  rotate(id: string, overlapSeconds: number): Promise<IssuedKey & { readonly oldSecretsExpireAt: Date }>
  /** Ends a key for good; a second time changes nothing. @throws `svc/not-found` */
  revoke(id: string): Promise<KeyRecord>
  /**
   * Drops from memory what any process has changed since a time, so that it is read anew. A minute before that time is
   * looked at again, for changes that were written late.
   *
   * @param since what the last call gave back, by the database's clock
   */
  forgetChanged(since?: string): Promise<string>
}

/** A key and whether the secret still opens it. */
export type FoundKey = { readonly key: ApiKey; readonly status: 'active' | 'revoked' | 'rotated' }

function toFound({ key, isRevoked, expiresAtMs }: KnownSecret, nowMs: number): FoundKey {
  return { key, status: isRevoked ? 'revoked' : nowMs >= expiresAtMs ? 'rotated' : 'active' }
}

function rethrowStorage(error: unknown): never {
  throw error instanceof ServiceError ? error : toStorageError(error)
}
