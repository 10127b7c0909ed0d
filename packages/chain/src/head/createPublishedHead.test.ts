import { expect, it } from 'vitest'
import { createHeadSelector } from './createHeadSelector.ts'
import { createPublishedHead } from './createPublishedHead.ts'
import type { Head } from './Head.ts'

const headOf = (number: bigint, fork = 0, parentFork = fork): Head => ({
  number,
  hash: hashOf(number, fork),
  parentHash: hashOf(number - 1n, parentFork),
  timestampSeconds: number,
})

/** Creates a published head over blocks that the test answers. A prefetch ends when the test finishes it. */
function start({ isInUse = true, isFirstPrefetched = false } = {}) {
  let nowMs = 0
  const [maxAgeMs, now] = [10_000, () => nowMs]
  const selector = createHeadSelector({ maxAgeMs, now })
  const prefetching = new Map<Head, () => void>()
  const prefetched: bigint[] = []
  const publications: (bigint | undefined)[] = []
  const published = createPublishedHead({
    selector,
    maxAgeMs,
    now,
    isInUse: () => isInUse,
    prefetch(head, before) {
      if (!before && !isFirstPrefetched) return undefined
      prefetched.push(head.number)
      const { promise, resolve } = Promise.withResolvers<void>()
      prefetching.set(head, resolve)
      return promise
    },
    onChange: () => publications.push(published.state().head?.number),
  })
  return {
    published,
    /** The numbers of the heads whose prefetch began, in order. */
    prefetched,
    /** The numbers of the published heads, in order. */
    publications,
    pass: (ms: number) => (nowMs += ms),
    answer(head: Head) {
      selector.accept(head)
      published.update()
    },
    async finish(head: Head) {
      prefetching.get(head)?.()
      await new Promise(setImmediate)
    },
  }
}

const [one, two, three, four] = [headOf(1n), headOf(2n), headOf(3n), headOf(4n)]

it('a new head is published once its data is prefetched, and the previous head is served until then', async () => {
  const { published, publications, answer, finish } = start()
  answer(one)
  answer(two)
  expect(published.findFresh()).toBe(one)
  await finish(two)
  expect(published.findFresh()).toBe(two)
  expect(publications).toEqual([1n, 2n])
})

it('no head is published before the data of the first one is prefetched', async () => {
  const { published, answer, finish } = start({ isFirstPrefetched: true })
  answer(one)
  expect(published.state().head).toBeUndefined()
  await finish(one)
  expect(published.findFresh()).toBe(one)
})

it('the first head is published to a caller that waits for it, before its prefetch ends', async () => {
  const { published, publications, answer, finish } = start({ isFirstPrefetched: true })
  answer(one)
  expect(await published.waitForHead(one)).toBe(one)
  await finish(one)
  answer(one)
  expect(publications).toEqual([1n])
})

it('a new head is published at once, without a prefetch, while the chain is not in use', () => {
  const { published, prefetched, answer } = start({ isInUse: false })
  answer(one)
  answer(two)
  expect(published.findFresh()).toBe(two)
  expect(prefetched).toEqual([])
})

it('one head is prefetched at a time, and then the newest of the blocks that came meanwhile', async () => {
  const { prefetched, publications, answer, finish } = start()
  for (const head of [one, two, three, four]) answer(head)
  expect(prefetched).toEqual([2n])
  await finish(two)
  expect(prefetched).toEqual([2n, 4n])
  await finish(four)
  expect(publications).toEqual([1n, 2n, 4n])
})

it('the block of a reorganisation is published at once', () => {
  const { published, prefetched, answer } = start()
  for (const head of [one, two, headOf(1n, 1)]) answer(head)
  expect(published.findFresh()).toEqual(headOf(1n, 1))
  expect(prefetched).toEqual([2n])
})

it('a block whose parent is not the published head is published at once', () => {
  const { published, answer } = start()
  answer(one)
  answer(headOf(2n, 1))
  expect(published.findFresh()).toEqual(headOf(2n, 1))
})

it('a head that a reorganisation replaces during its prefetch is never published', async () => {
  const { published, publications, answer, finish } = start()
  const other = headOf(2n, 1, 0)
  for (const head of [one, two, other]) answer(head)
  await finish(two)
  await finish(other)
  expect(published.findFresh()).toBe(other)
  expect(publications).toEqual([1n, 2n])
})

it('the newest head is published as soon as the published one is past its maximum age', () => {
  const { published, answer, pass } = start()
  answer(one)
  answer(two)
  pass(10_000)
  answer(two)
  expect(published.findFresh()).toBe(one)
  pass(1)
  expect(published.findFresh()).toBeUndefined()
  answer(two)
  expect(published.findFresh()).toBe(two)
})

it('the age of a prefetched head counts from its last confirmation, not from the end of its prefetch', async () => {
  const { published, answer, pass, finish } = start()
  answer(one)
  pass(1000)
  answer(two)
  pass(2000)
  answer(two)
  pass(4000)
  await finish(two)
  expect(published.state()).toEqual({ head: two, confirmedAtMs: 3000 })
})

it('waitForHead resolves once the given head or a later one is published', async () => {
  const { published, answer, finish } = start()
  for (const head of [one, two, three]) answer(head)
  let reached: Head | undefined
  const reaching = published.waitForHead(three).then((head) => (reached = head))
  await finish(two)
  expect(reached).toBeUndefined()
  await finish(three)
  await reaching
  expect(reached).toBe(three)
  expect(await published.waitForHead(two)).toBe(three)
})

function hashOf(number: bigint, fork: number): `0x${string}` {
  return `0x${fork}${number.toString(16).padStart(63, '0')}`
}
