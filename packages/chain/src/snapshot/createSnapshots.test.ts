import { RpcRequestError } from 'viem'
import { expect, it } from 'vitest'
import { headOf } from '../../test/startHeads.ts'
import { createSnapshots } from './createSnapshots.ts'

const notFound = { code: -32_000, message: 'header not found' }

/** Creates snapshots over a scripted head and a pool reader that records the blocks it reads. */
function start() {
  const node = {
    head: headOf(1n),
    refreshed: headOf(1n),
    replaced: [] as bigint[],
    lacks: new Set<bigint>(),
    fails: new Set<bigint>(),
    held: new Map<bigint, Promise<void>>(),
    reads: [] as bigint[],
  }
  const tokens = new Map()
  const snapshots = createSnapshots({
    heads: {
      get: () => node.head,
      refresh: () => Promise.resolve(node.refreshed),
      async replace({ number }) {
        node.replaced.push(number)
        return node.refreshed
      },
    },
    poolReader: {
      tokens,
      disputedTokens: new Set(),
      listUnreadable: () => [],
      listDisproven: () => [],
      listFaultyFeeds: () => [],
      replaceSchedule: () => {},
      read: (hash) => {
        node.reads.push(BigInt(hash))
        return Promise.resolve({ timestampSeconds: 7n, pools: [] })
      },
      async readAndProbe({ number }) {
        node.reads.push(number)
        await node.held.get(number)
        if (node.fails.has(number)) throw new Error('broken')
        if (node.lacks.has(number)) throw new RpcRequestError({ body: {}, error: notFound, url: 'http://node.test' })
        return await Promise.resolve([])
      },
    },
  })
  return { node, snapshots }
}

it('a read of a snapshot that ends after the read of a newer block replaces no newer snapshot', async () => {
  const { node, snapshots } = start()
  const { promise, resolve } = Promise.withResolvers<void>()
  node.held.set(1n, promise)
  const slow = snapshots.get()
  node.head = headOf(2n)
  const newer = await snapshots.get()
  resolve()
  expect(await slow).toMatchObject({ block: { number: 1n } })
  expect(snapshots.get()).toBe(newer)
  expect(node.reads).toEqual([1n, 2n])
})

it('the last two snapshots are kept, and an earlier one is read again', async () => {
  const { node, snapshots } = start()
  for (const number of [1n, 2n, 3n]) {
    node.head = headOf(number)
    await snapshots.get()
  }
  expect(await snapshots.getAt(headOf(2n))).toMatchObject({ block: headOf(2n) })
  expect(node.reads).toEqual([1n, 2n, 3n])
  expect(await snapshots.getAt(headOf(1n))).toMatchObject({ block: { ...headOf(1n), timestampSeconds: 7n } })
  expect(node.reads).toEqual([1n, 2n, 3n, 1n])
})

it('a new head is prefetched only if the pools at the published head were read', async () => {
  const { node, snapshots } = start()
  expect(snapshots.prefetch(headOf(2n), headOf(1n))).toBeUndefined()
  await snapshots.get()
  await snapshots.prefetch(headOf(2n), headOf(1n))
  node.head = headOf(2n)
  expect(snapshots.get()).toMatchObject({ block: headOf(2n) })
  expect(node.reads).toEqual([1n, 2n])
})

it('a block that no node has is replaced by the newest block of another node, and a block that cannot be read is not', async () => {
  const { node, snapshots } = start()
  node.refreshed = headOf(2n)
  node.fails.add(1n)
  expect(await snapshots.get()).toMatchObject({ block: headOf(2n) })
  expect(node.replaced).toEqual([])
  node.head = headOf(3n)
  node.lacks.add(3n)
  expect(await snapshots.get()).toMatchObject({ block: headOf(2n) })
  expect(node.replaced).toEqual([3n])
})

it('a prefetch reports whether it failed, and whether no node has the block', async () => {
  const { node, snapshots } = start()
  node.fails.add(1n)
  node.lacks.add(2n)
  expect(await snapshots.prefetch(headOf(1n), undefined)).toMatchObject({
    error: { code: 'svc/upstream-error' },
    isUnreadable: false,
  })
  expect(await snapshots.prefetch(headOf(2n), undefined)).toMatchObject({ isUnreadable: true })
  expect(await snapshots.prefetch(headOf(3n), undefined)).toEqual({})
})

it('the snapshot of a head is kept if a read at another head, which fails, has begun before it is read', async () => {
  const { node, snapshots } = start()
  node.fails.add(2n)
  const first = snapshots.prefetch(headOf(1n), undefined)
  const second = snapshots.prefetch(headOf(2n), undefined)
  expect(await first).toEqual({})
  expect(await second).toMatchObject({ error: { code: 'svc/upstream-error' } })
  expect(snapshots.get()).toMatchObject({ block: { number: 1n } })
  expect(node.reads).toEqual([1n, 2n])
})
