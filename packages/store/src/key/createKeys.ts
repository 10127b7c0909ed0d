import type { Database } from '../database/Database.ts'
import { throwStorageError } from '../database/toStorageError.ts'
import type { KeyPage, KeyRecord, PageOptions } from './ApiKey.ts'
import { createKeyCache } from './createKeyCache.ts'
import { createKeyLookup, type KeyLookup } from './createKeyLookup.ts'
import { createKeyMutations, type KeyMutations } from './createKeyMutations.ts'
import { createKeyOrigins, type KeyOrigins } from './createKeyOrigins.ts'
import { getRecord, listRecords, readChanges, readTime } from './keyQueries.ts'

/** Creates functions that read and change the keys of a database, with a cache of the secrets in use. */
export function createKeys({ db, transact, now = Date.now, cacheSize }: createKeys.Dependencies): Keys {
  const cache = createKeyCache(cacheSize)
  const lookup = createKeyLookup({ db, transact, cache, now })
  const origins = createKeyOrigins(db)
  async function applyChange(id: string): Promise<void> {
    cache.evict(id)
    // If this read fails, the next poll reads the change.
    await origins.refreshOrigins().catch(() => {})
  }
  return {
    ...lookup,
    ...createKeyMutations({ db, transact, applyChange, now }),
    ...origins,
    evictAll: cache.clear,
    get: (id) => getRecord(db, id).catch(throwStorageError),
    list: (page) => listRecords(db, page).catch(throwStorageError),
    async refreshChanged(since) {
      const time = await readTime(db)
      const changes = since === undefined ? new Map<string, string>() : await readChanges(db, since)
      // A key in use must be in memory when the database becomes unreachable.
      await Promise.all(cache.evictChanged(changes).map(lookup.findByHash))
      return { time, changes }
    },
  }
}

export declare namespace createKeys {
  type Dependencies = Pick<Database, 'db' | 'transact'> & {
    readonly now?: (() => number) | undefined
    /** Maximum number of cached secrets; 10,000 by default. */
    readonly cacheSize?: number | undefined
  }
}

/** The keys. Every method that uses the database throws `svc/storage-unavailable` if it cannot be reached. */
export type Keys = KeyLookup &
  KeyMutations &
  KeyOrigins & {
    /** Returns a key. @throws `svc/not-found` */
    get(id: string): Promise<KeyRecord>
    /** Returns a page of all keys, newest first. */
    list(page: PageOptions): Promise<KeyPage>
    /**
     * Reads again the cached secrets of keys that any process changed since a time.
     *
     * @param since the time that the previous call returned, by the database's clock
     * @returns the database's time, and the last change of each key that changed in the minute before `since` or later
     */
    refreshChanged(since?: string): Promise<{ readonly time: string; readonly changes: ReadonlyMap<string, string> }>
    /** Evicts all secrets. The next look-ups read them again. */
    evictAll(): void
  }
