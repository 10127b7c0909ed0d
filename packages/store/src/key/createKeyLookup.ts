import type { Database } from '../database/Database.ts'
import { throwStorageError } from '../database/toStorageError.ts'
import type { ApiKey } from './ApiKey.ts'
import type { KeyCache, KnownSecret } from './createKeyCache.ts'
import { findSecret } from './keyQueries.ts'
import { hashSecret } from './secrets.ts'

/** Finds keys by their secrets: in the cache, else in the database. */
export function createKeyLookup({ db, cache, now }: createKeyLookup.Parts): KeyLookup {
  const reading = new Map<string, Promise<KnownSecret | undefined>>()

  // Concurrent look-ups of a secret share one query.
  function readOnce(hash: string): Promise<KnownSecret | undefined> {
    const underway = reading.get(hash)
    if (underway) return underway
    const started = findSecret(db, hash).finally(() => reading.delete(hash))
    reading.set(hash, started)
    return started
  }
  return {
    findKnown(secret) {
      const known = cache.get(hashSecret(secret))
      return known && toFound(known, now())
    },
    async find(secret) {
      const hash = hashSecret(secret)
      const known = cache.get(hash) ?? (await readOnce(hash).catch(throwStorageError))
      if (!known) return undefined
      cache.set(hash, known)
      return toFound(known, now())
    },
  }
}

export declare namespace createKeyLookup {
  type Parts = Pick<Database, 'db'> & { readonly cache: KeyCache; readonly now: () => number }
}

export type KeyLookup = {
  /** Returns the key of a secret from the cache, without I/O. */
  findKnown(secret: string): FoundKey | undefined
  /** Returns the key of a secret from the cache, else by one indexed query. */
  find(secret: string): Promise<FoundKey | undefined>
}

/** A key, and whether the secret that found it is valid. */
export type FoundKey = { readonly key: ApiKey; readonly status: 'active' | 'revoked' | 'rotated' }

function toFound({ key, isRevoked, expiresAtMs }: KnownSecret, nowMs: number): FoundKey {
  return { key, status: isRevoked ? 'revoked' : nowMs >= expiresAtMs ? 'rotated' : 'active' }
}
