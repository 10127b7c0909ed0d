import { Async } from '@agio/core'
import type { Database } from '../database/Database.ts'
import { throwStorageError } from '../database/toStorageError.ts'
import type { ApiKey } from './ApiKey.ts'
import type { KeyCache, CachedSecret } from './createKeyCache.ts'
import { findSecrets } from './keyQueries.ts'
import { endRepetitions } from './secretRotation.ts'
import { hashSecret, isMistyped } from './secrets.ts'

// The most secrets of one query.
const maxHashes = 500

/** Creates a look-up of keys by their secrets: in the cache, then in the database. */
export function createKeyLookup({ db, transact, cache, now }: Dependencies) {
  // A flood of unknown secrets occupies one connection, and a valid secret gets through.
  const read = Async.createSerialBatch(async (_, hashes: readonly string[]) => {
    const found = await findSecrets(db, [...new Set(hashes)]).catch(throwStorageError)
    return hashes.map((hash) => ({ value: found.get(hash) }))
  }, maxHashes)
  // Requests that use a new secret at once end its repetitions together.
  const end = Async.createSerialBatch(async (id, requests: readonly string[]) => {
    for (const requestedBy of new Set(requests)) await transact((tx) => endRepetitions(tx, id, requestedBy))
    return requests.map(() => ({ value: undefined }))
  })
  async function findByHash(hash: string): Promise<FoundKey | undefined> {
    const cached = cache.get(hash)
    if (cached) return toFound(cached, now())
    const add = cache.beginRead()
    const found = await read('hashes', hash)
    if (!found) return undefined
    const { key, requestedBy } = found
    // Before the first response, so that the old secret cannot rotate any more once a client sees that the new one works.
    if (requestedBy !== null) await end(key.id, requestedBy).catch(throwStorageError)
    add(hash, found)
    return toFound(found, now())
  }
  return {
    /** Returns the key of a secret from the cache, without I/O. */
    findCached(secret: string): FoundKey | undefined {
      const cached = cache.get(hashSecret(secret))
      return cached && toFound(cached, now())
    },
    /**
     * Returns the key of a secret from the cache, or by an indexed query that concurrent look-ups share. A secret with a wrong
     * checksum is unknown without a query.
     */
    find: async (secret: string) => (isMistyped(secret) ? undefined : await findByHash(hashSecret(secret))),
    /** Returns the hash of a secret, which finds its key again without the secret. */
    hash: hashSecret,
    /** Returns the key of the secret with a hash, as `find` does. */
    findByHash,
  }
}

type Dependencies = Pick<Database, 'db' | 'transact'> & { readonly cache: KeyCache; readonly now: () => number }

/** A key, and whether the secret that found it is valid. */
export type FoundKey = { readonly key: ApiKey; readonly status: 'active' | 'revoked' | 'rotated' | 'expired' }

function toFound({ key, isRevoked, expiresAtMs }: CachedSecret, nowMs: number): FoundKey {
  if (isRevoked) return { key, status: 'revoked' }
  if (nowMs >= expiresAtMs) return { key, status: 'rotated' }
  const isExpired = key.restrictions?.expiresAt !== undefined && nowMs >= key.restrictions.expiresAt.getTime()
  return { key, status: isExpired ? 'expired' : 'active' }
}
