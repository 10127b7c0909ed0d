import { LRUCache } from 'lru-cache'
import type { ApiKey } from './ApiKey.ts'

/** What a secret opens, as it was last read. */
export type KnownSecret = {
  readonly key: ApiKey
  readonly isRevoked: boolean
  /** When it stops working, if it was rotated. */
  readonly expiresAtMs: number
  /** When the key was last changed, by the database's clock and in its words. */
  readonly changedAt: string
}

/** Keeps what was read of the secrets in use, by hash, and no more than `max` of them. */
export function createKeyCache(max = 10_000): KeyCache {
  const byHash = new LRUCache<string, KnownSecret>({ max })
  return {
    get: (hash) => byHash.get(hash),
    set: (hash, known) => void byHash.set(hash, known),
    forget(keyId) {
      const dropped = [...byHash].filter(([, { key }]) => key.id === keyId)
      for (const [hash] of dropped) byHash.delete(hash)
    },
    forgetChanged(changedAt) {
      if (changedAt.size === 0) return
      const dropped = [...byHash].filter(([, known]) => {
        const newest = changedAt.get(known.key.id)
        return newest !== undefined && newest !== known.changedAt
      })
      for (const [hash] of dropped) byHash.delete(hash)
    },
  }
}

export type KeyCache = {
  get(hash: string): KnownSecret | undefined
  set(hash: string, known: KnownSecret): void
  /** Drops the secrets of a key, which are read anew. */
  forget(keyId: string): void
  /** Drops the secrets of keys that were read before their last change, whose time is given by key. */
  forgetChanged(changedAt: ReadonlyMap<string, string>): void
}
