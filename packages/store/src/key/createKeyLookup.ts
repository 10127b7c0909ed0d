import type { Database } from '../database/Database.ts'
import { throwStorageError } from '../database/toStorageError.ts'
import type { ApiKey } from './ApiKey.ts'
import { createBatchReader } from './createBatchReader.ts'
import type { KeyCache, CachedSecret } from './createKeyCache.ts'
import { findSecrets } from './keyQueries.ts'
import { hashSecret } from './secrets.ts'

/** Creates a look-up of keys by their secrets: in the cache, then in the database. */
export function createKeyLookup({ db, cache, now }: createKeyLookup.Dependencies): KeyLookup {
  // A flood of unknown secrets occupies one connection, and a valid secret gets through.
  const read = createBatchReader((hashes) => findSecrets(db, hashes).catch(throwStorageError))
  async function findByHash(hash: string): Promise<FoundKey | undefined> {
    const cached = cache.get(hash) ?? (await read(hash))
    if (!cached) return undefined
    cache.set(hash, cached)
    return toFound(cached, now())
  }
  return {
    findCached(secret) {
      const cached = cache.get(hashSecret(secret))
      return cached && toFound(cached, now())
    },
    find: (secret) => findByHash(hashSecret(secret)),
    hash: hashSecret,
    findByHash,
  }
}

export declare namespace createKeyLookup {
  type Dependencies = Pick<Database, 'db'> & { readonly cache: KeyCache; readonly now: () => number }
}

/** Finds keys by their secrets. */
export type KeyLookup = {
  /** Returns the key of a secret from the cache, without I/O. */
  findCached(secret: string): FoundKey | undefined
  /** Returns the key of a secret from the cache, or by an indexed query that concurrent look-ups share. */
  find(secret: string): Promise<FoundKey | undefined>
  /** Returns the hash of a secret, which finds its key again without the secret. */
  hash(secret: string): string
  /** Returns the key of the secret with a hash, as `find` does. */
  findByHash(secretHash: string): Promise<FoundKey | undefined>
}

/** A key, and whether the secret that found it is valid. */
export type FoundKey = { readonly key: ApiKey; readonly status: 'active' | 'revoked' | 'rotated' }

function toFound({ key, isRevoked, expiresAtMs }: CachedSecret, nowMs: number): FoundKey {
  return { key, status: isRevoked ? 'revoked' : nowMs >= expiresAtMs ? 'rotated' : 'active' }
}
