import { LRUCache } from 'lru-cache'
import type { ApiKey } from './ApiKey.ts'

/** What a secret opens, as it was last read. */
export type KnownSecret = {
  readonly key: ApiKey
  readonly isRevoked: boolean
  /** When it stops working, if it was rotated. */
  readonly expiresAtMs: number
}

/** Keeps what was read of the secrets in use, by hash, and no more than `max` of them. */
export function createKeyCache(max = 10_000): KeyCache {
  const byHash = new LRUCache<string, KnownSecret>({ max })
  return {
    get: (hash) => byHash.get(hash),
    set: (hash, known) => void byHash.set(hash, known),
    forget(keyIds) {
      if (keyIds.size === 0) return
      const dropped = [...byHash].filter(([, { key }]) => keyIds.has(key.id))
      for (const [hash] of dropped) byHash.delete(hash)
    },
  }
}

export type KeyCache = {
  get(hash: string): KnownSecret | undefined
  set(hash: string, known: KnownSecret): void
  /** Drops the secrets of some keys, which are read anew. */
  forget(keyIds: ReadonlySet<string>): void
}
