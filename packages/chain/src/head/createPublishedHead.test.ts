import { describe, expect, it } from 'vitest'
import { createHeadSelector } from './createHeadSelector.ts'
import { Errors } from '@agio/core'
import { createPublishedHead, type PrefetchOutcome } from './createPublishedHead.ts'
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
  const prefetching = new Map<Head, (outcome: PrefetchOutcome) => void>()
  const unreadable: bigint[] = []
  // The newest block of another node.
  let other: Head | undefined
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
      const { promise, resolve } = Promise.withResolvers<PrefetchOutcome>()
      prefetching.set(head, resolve)
      return promise
    },
    async onUnreadable(head) {
      unreadable.push(head.number)
      if (other) answer(other)
    },
    onChange: () => publications.push(published.state().head?.number),
  })
  function answer(head: Head): void {
    selector.accept(head)
    published.update()
  }
  return {
    published,
    /** The numbers of the heads that no node could read, in order. */
    unreadable,
    setOther: (head: Head) => (other = head),
    /** The numbers of the heads whose prefetch began, in order. */
    prefetched,
    /** The numbers of the published heads, in order. */
    publications,
    pass: (ms: number) => (nowMs += ms),
    answer,
    async finish(head: Head, outcome: PrefetchOutcome = {}) {
      prefetching.get(head)?.(outcome)
      await new Promise(setImmediate)
    },
  }
}

const [one, two, three, four] = [headOf(1n), headOf(2n), headOf(3n), headOf(4n)]

it('a caller that waits for the first head gets it once its prefetch ends', async () => {
  const { published, publications, answer, finish } = start({ isFirstPrefetched: true })
  answer(one)
  const waiting = published.waitForHead(one)
  expect(published.state().head).toBeUndefined()
  await finish(one)
  expect(await waiting).toBe(one)
  answer(one)
  expect(publications).toEqual([1n])
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

it.each([
  ['of a reorganisation', headOf(1n, 1)],
  ['of a reorganisation below the published head', headOf(0n, 1)],
  ['whose parent is not the published head', headOf(2n, 1)],
])('a block %s is published once its data is prefetched', async (_, block) => {
  const { published, answer, finish } = start()
  for (const head of [one, block]) answer(head)
  expect(published.findFresh()).toBe(one)
  const waiting = published.waitForHead(block)
  await finish(block)
  expect(published.findFresh()).toBe(block)
  expect(await waiting).toBe(block)
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

it('a head after a pause longer than the maximum age is published once its data is prefetched', async () => {
  const { published, answer, pass, finish } = start()
  answer(one)
  pass(10_001)
  answer(two)
  expect(published.findFresh()).toBeUndefined()
  const waiting = published.waitForHead(two)
  await finish(two)
  expect(await waiting).toBe(two)
  expect(published.findFresh()).toBe(two)
})

const failed = { error: Errors.upstreamError({ action: 'read', reason: 'no' }) }
const notFound = { ...failed, isUnreadable: true }

describe('a failed prefetch', () => {
  it('a head whose prefetch fails is not published, and the next response of a node prefetches it again', async () => {
    const { published, prefetched, answer, finish } = start()
    for (const head of [one, two]) answer(head)
    await finish(two, failed)
    expect(published.findFresh()).toBe(one)
    expect(published.findError()).toBe(failed.error)
    expect(prefetched).toEqual([2n])
    answer(two)
    expect(prefetched).toEqual([2n, 2n])
    await finish(two)
    expect(published.findFresh()).toBe(two)
    expect(published.findError()).toBeUndefined()
  })

  it('the newest head is published after a failed prefetch once the previous one is past its maximum age', async () => {
    const { published, answer, pass, finish } = start()
    for (const head of [one, two]) answer(head)
    pass(10_000)
    await finish(two, failed)
    expect(published.findFresh()).toBe(one)
    answer(two)
    pass(1)
    await finish(two, failed)
    expect(published.findFresh()).toBe(two)
  })

  it('the first head is published if its prefetch fails, since there is no other', async () => {
    const { published, answer, finish } = start({ isFirstPrefetched: true })
    answer(one)
    await finish(one, failed)
    expect(published.findFresh()).toBe(one)
  })

  it('a published head that could not be read is reported and read again until that succeeds, although no request comes', async () => {
    const { published, prefetched, answer, finish } = start({ isInUse: false, isFirstPrefetched: true })
    answer(one)
    await finish(one, failed)
    expect([published.isUnread(), published.findError()]).toEqual([true, failed.error])
    answer(two)
    expect(prefetched).toEqual([1n, 2n])
    await finish(two)
    expect([published.isUnread(), published.findError(), published.findFresh()]).toEqual([false, undefined, two])
  })

  it('the block of another node is prefetched instead of a head that no node can read', async () => {
    const { published, unreadable, prefetched, answer, finish, setOther } = start()
    const [wrong, right] = [headOf(2n, 1, 0), headOf(2n)]
    setOther(right)
    for (const head of [one, wrong]) answer(head)
    const waiting = published.waitForHead(wrong)
    await finish(wrong, notFound)
    expect([unreadable, prefetched, published.findFresh()]).toEqual([[2n], [2n, 2n], one])
    await finish(right)
    expect(published.findFresh()).toBe(right)
    expect(await waiting).toBe(right)
  })
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

it('a restored head forgets the heads that came after it, and remembers its own ancestors', () => {
  const selector = createHeadSelector({ maxAgeMs: 10_000, now: () => 0 })
  for (const number of [1n, 2n, 3n, 4n]) selector.accept(headOf(number))
  const [wrong, right] = [headOf(2n, 1), headOf(4n)]
  for (const head of [wrong, headOf(9n, 1)]) selector.accept(head)
  selector.restore({ head: right, confirmedAtMs: 0 })
  expect(selector.state()).toEqual({ head: right, confirmedAtMs: 0 })
  expect([wrong, headOf(9n, 1)].map(selector.isAncestor)).toEqual([false, false])
  expect([1n, 2n, 3n, 4n].map((number) => selector.isAncestor(headOf(number)))).toEqual([true, true, true, true])
  // A node that lags does not move the head back, and a node that announces the wrong head again does.
  expect(selector.accept(headOf(3n))).toBe(right)
  expect(selector.accept(wrong)).toBe(wrong)
})

function hashOf(number: bigint, fork: number): `0x${string}` {
  return `0x${fork}${number.toString(16).padStart(63, '0')}`
}
