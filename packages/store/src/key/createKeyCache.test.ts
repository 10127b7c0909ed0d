import { expect, it } from 'vitest'
import { createKeyCache, type CachedSecret } from './createKeyCache.ts'

const secretOf = (keyId: string, changedAt = '1'): CachedSecret => ({
  key: { id: keyId, name: 'Shop', tier: 'standard' },
  isRevoked: false,
  expiresAtMs: Number.POSITIVE_INFINITY,
  changedAt,
})

/** Fills a cache with two secrets of key `a` and one of key `b`, and lists those that are left. */
function fill() {
  const cache = createKeyCache()
  cache.beginRead()('a1', secretOf('a'))
  cache.beginRead()('a2', secretOf('a', '2'))
  cache.beginRead()('b1', secretOf('b'))
  return { ...cache, left: () => ['a1', 'a2', 'b1'].filter((hash) => cache.get(hash) !== undefined) }
}

it('the key cache evicts every secret of a key, and none of another key', () => {
  const { evict, left } = fill()
  evict('a')
  expect(left()).toEqual(['b1'])
})

it('the key cache evicts the secrets that were read before the last change of their key', () => {
  const { evictChanged, left } = fill()
  evictChanged(new Map([['a', '2']]))
  expect(left()).toEqual(['a2', 'b1'])
})

it('the key cache keeps every secret when no key has changed, or only keys it does not hold', () => {
  const { evictChanged, left } = fill()
  evictChanged(new Map())
  evictChanged(new Map([['c', '2']]))
  expect(left()).toEqual(['a1', 'a2', 'b1'])
})

it('a cleared cache holds no secret, and takes none from a read that began before', () => {
  const cache = createKeyCache()
  const add = cache.beginRead()
  add('a1', secretOf('a'))
  cache.clear()
  add('b1', secretOf('b'))
  expect([cache.get('a1'), cache.get('b1')]).toEqual([undefined, undefined])
  cache.beginRead()('b1', secretOf('b'))
  expect(cache.get('b1')?.key.id).toBe('b')
})
