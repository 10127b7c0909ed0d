import { and, isNotNull, isNull } from 'drizzle-orm'
import type { Database } from '../database/Database.ts'
import { throwStorageError } from '../database/toStorageError.ts'
import type { PageOptions } from './ApiKey.ts'
import { createKeyCache } from './createKeyCache.ts'
import { createKeyLookup } from './createKeyLookup.ts'
import { createKeyMutations } from './createKeyMutations.ts'
import { getRecord, listRecords, readChanges, readTime } from './keyQueries.ts'
import { createTableCache } from '../database/createTableCache.ts'
import { apiKeys } from '../database/schema.ts'

/** Creates functions that read and change the keys of a database, with a cache of the secrets in use. */
export function createKeys({ db, transact, now = Date.now, cacheSize }: Dependencies) {
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
    /** Evicts all secrets. The next look-ups read them again. */
    evictAll: cache.clear,
    /** Returns a key. @throws `svc/not-found` */
    get: (id: string) => getRecord(db, id).catch(throwStorageError),
    /** Returns a page of all keys, newest first. */
    list: (page: PageOptions) => listRecords(db, page).catch(throwStorageError),
    /**
     * Reads again the cached secrets of keys that any process changed since a time.
     *
     * @param since the time that the previous call returned, by the database's clock
     * @returns the database's time, and the last change of each key that changed in the minute before `since` or later
     */
    async refreshChanged(since?: string) {
      const time = await readTime(db)
      const changes = since === undefined ? new Map<string, string>() : await readChanges(db, since)
      // A key in use must be in memory when the database becomes unreachable.
      await Promise.all(cache.evictChanged(changes).map(lookup.findByHash))
      return { time, changes }
    },
  }
}

type Dependencies = Pick<Database, 'db' | 'transact'> & {
  readonly now?: (() => number) | undefined
  /** Maximum number of cached secrets; 10,000 by default. */
  readonly cacheSize?: number | undefined
}

/** The keys. Every method that uses the database throws `svc/storage-unavailable` if it cannot be reached. */
export type Keys = ReturnType<typeof createKeys>

/** Keeps in memory the origins whose pages may use a key. A preflight carries no key, so it allows all of them. */
function createKeyOrigins(db: Database['db']) {
  const table = createTableCache(() => readOrigins(db), new Set<string>())
  return {
    /** Returns from memory whether any key allows an origin. The result is at most two seconds old. */
    hasOrigin: (origin: string) => table.get().has(origin),
    /** Reads the changes of other processes. */
    refreshOrigins: () => table.refresh(),
  }
}

async function readOrigins(db: Database['db']): Promise<ReadonlySet<string>> {
  const { allowedOrigins, revokedAt } = apiKeys
  const rows = await db
    .select({ allowedOrigins })
    .from(apiKeys)
    .where(and(isNotNull(allowedOrigins), isNull(revokedAt)))
  return new Set(rows.flatMap((row) => row.allowedOrigins ?? []))
}
