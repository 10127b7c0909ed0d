import { randomBytes } from 'node:crypto'
import { Errors } from '@agio/core'
import { and, eq, gt, isNull, or, sql } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { apiKeys, apiSecrets } from '../database/schema.ts'
import { throwStorageError } from '../database/toStorageError.ts'
import type { CreatedKey, KeyApplication, KeyRecord } from './ApiKey.ts'
import type { KeyCache } from './createKeyCache.ts'
import { findRecord, getRecord } from './keyQueries.ts'
import { createSecret, hashSecret, prefixOf } from './secrets.ts'

/** Creates, rotates and revokes keys in the database, and evicts changed keys from the cache. */
export function createKeyMutations({ db, transact, cache, now }: createKeyMutations.Dependencies): KeyMutations {
  async function insert(
    id: string,
    { secret, ...application }: KeyApplication & { secret: string },
  ): Promise<KeyRecord> {
    const createdAt = new Date(now())
    await transact(async (tx) => {
      await tx.insert(apiKeys).values({ ...application, id, createdAt })
      await tx.insert(apiSecrets).values(toSecretRow(id, secret, createdAt))
    })
    return { ...application, id, prefix: prefixOf(secret), createdAt }
  }
  return {
    async create(application) {
      const secret = createSecret()
      const id = `key_${randomBytes(9).toString('base64url')}`
      return { key: await insert(id, { ...application, secret }).catch(throwStorageError), secret }
    },
    async ensure({ id, ...key }) {
      const exists = async () => (await findRecord(db, id).catch(throwStorageError)) !== undefined
      if (await exists()) return
      await insert(id, key).catch(async (error: unknown) => {
        // Another process may have created the key meanwhile.
        if (!(await exists())) throwStorageError(error)
      })
    },
    async rotate(id, overlapSeconds) {
      const secret = createSecret()
      const atMs = now()
      const oldSecretsExpireAt = new Date(atMs + overlapSeconds * 1000)
      const row = toSecretRow(id, secret, new Date(atMs))
      await transact((tx) => replaceSecret(tx, row, oldSecretsExpireAt)).catch(throwStorageError)
      cache.evict(id)
      return { key: await getRecord(db, id).catch(throwStorageError), secret, oldSecretsExpireAt }
    },
    async revoke(id) {
      await transact((tx) => markRevoked(tx, id, new Date(now()))).catch(throwStorageError)
      cache.evict(id)
      return await getRecord(db, id).catch(throwStorageError)
    },
  }
}

export declare namespace createKeyMutations {
  type Dependencies = Pick<Database, 'db' | 'transact'> & { readonly cache: KeyCache; readonly now: () => number }
}

/** Creates and changes keys. */
export type KeyMutations = {
  /** Creates a key with a new secret. */
  create(application: KeyApplication): Promise<CreatedKey>
  /** Creates a key with a given id and secret, unless a key with that id exists. */
  ensure(key: KeyApplication & { readonly id: string; readonly secret: string }): Promise<void>
  /**
   * Creates a new secret for a key. The older secrets expire after an overlap.
   *
   * @throws `svc/not-found`; `svc/key-revoked`
   */
  rotate(id: string, overlapSeconds: number): Promise<CreatedKey & { readonly oldSecretsExpireAt: Date }>
  /** Revokes a key permanently. A second call has no effect. @throws `svc/not-found` */
  revoke(id: string): Promise<KeyRecord>
}

type SecretRow = typeof apiSecrets.$inferInsert

function toSecretRow(keyId: string, secret: string, createdAt: Date): SecretRow {
  return { hash: hashSecret(secret), keyId, prefix: prefixOf(secret), createdAt }
}

async function markRevoked(db: Database['db'], id: string, revokedAt: Date): Promise<void> {
  await db
    .update(apiKeys)
    .set({ revokedAt, changedAt: sql`now()` })
    .where(and(eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
}

async function replaceSecret(tx: Database['db'], secret: SecretRow, expiresAt: Date): Promise<void> {
  const id = secret.keyId
  const [key] = await tx.select().from(apiKeys).where(eq(apiKeys.id, id)).for('update')
  if (key?.revokedAt) throw Errors.keyRevoked({ action: `rotate key ${id}` })
  if (!key) return
  // Secrets of earlier rotations expire with the replaced secret, or earlier.
  await tx
    .update(apiSecrets)
    .set({ expiresAt })
    .where(and(eq(apiSecrets.keyId, id), or(isNull(apiSecrets.expiresAt), gt(apiSecrets.expiresAt, expiresAt))))
  await tx.insert(apiSecrets).values(secret)
  await tx
    .update(apiKeys)
    .set({ changedAt: sql`now()` })
    .where(eq(apiKeys.id, id))
}
