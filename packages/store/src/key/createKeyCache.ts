import { LRUCache } from 'lru-cache'
import type { ApiKey } from './ApiKey.ts'

/** The key of a secret, as last read from the database. */
export type CachedSecret = {
  readonly key: ApiKey
  readonly isRevoked: boolean
  /** When the secret expires after a rotation; infinity without a rotation. */
  readonly expiresAtMs: number
  /** When the key last changed, as text in the database's precision. */
  readonly changedAt: string
}

/** Creates a cache of at most `max` secrets by their hash. */
export function createKeyCache(max = 10_000) {
  const byHash = new LRUCache<string, CachedSecret>({ max })
  function evictWhere(isStale: (cached: CachedSecret) => boolean): readonly string[] {
    const stale = [...byHash].filter(([, cached]) => isStale(cached)).map(([hash]) => hash)
    for (const hash of stale) byHash.delete(hash)
    return stale
  }
  let reads = {}
  return {
    get: (hash: string) => byHash.get(hash),
    /** Returns a function that adds what a read has found, unless the cache was cleared since the read began. */
    beginRead(): (hash: string, cached: CachedSecret) => void {
      const begun = reads
      return (hash, cached) => {
        if (begun === reads) byHash.set(hash, cached)
      }
    },
    /** Evicts all secrets. */
    clear(): void {
      reads = {}
      byHash.clear()
    },
    /** Evicts every secret of a key. */
    evict: (keyId: string) => void evictWhere(({ key }) => key.id === keyId),
    /**
     * Evicts the secrets that were read before the last change of their key.
     *
     * @param changedAt the changes, by key id
     * @returns the hashes of the evicted secrets
     */
    evictChanged(changedAt: ReadonlyMap<string, string>): readonly string[] {
      if (changedAt.size === 0) return []
      return evictWhere((cached) => {
        const newest = changedAt.get(cached.key.id)
        return newest !== undefined && newest !== cached.changedAt
      })
    },
  }
}

/** Secrets of keys in memory, by their hashes. */
export type KeyCache = ReturnType<typeof createKeyCache>
