import { expect, it } from 'vitest'
import { createNewest } from './createNewest.ts'
import { createShown } from './createShown.ts'
import type { Head } from './Head.ts'

const headOf = (number: bigint, fork = 0, parentFork = fork): Head => ({
  number,
  hash: hashOf(number, fork),
  parentHash: hashOf(number - 1n, parentFork),
  timestampSeconds: number,
})

/** Heads that a node answers, and preparations that end when the test says so. */
function start({ isInUse = true, isFirstPrepared = false } = {}) {
  let nowMs = 0
  const [maxAgeMs, now] = [10_000, () => nowMs]
  const newest = createNewest({ maxAgeMs, now })
  const preparing = new Map<Head, () => void>()
  const prepared: bigint[] = []
  const shows: (bigint | undefined)[] = []
  const shown = createShown({
    newest,
    maxAgeMs,
    now,
    isInUse: () => isInUse,
    prepare(head, before) {
      if (!before && !isFirstPrepared) return undefined
      prepared.push(head.number)
      const { promise, resolve } = Promise.withResolvers<void>()
      preparing.set(head, resolve)
      return promise
    },
    onChange: () => shows.push(shown.state().head?.number),
  })
  return {
    shown,
    /** The numbers of what was begun to be prepared, in order. */
    prepared,
    /** The numbers of what was shown, in order. */
    shows,
    pass: (ms: number) => (nowMs += ms),
    answer(head: Head) {
      newest.accept(head)
      shown.follow()
    },
    async finish(head: Head) {
      preparing.get(head)?.()
      await new Promise(setImmediate)
    },
  }
}

const [one, two, three, four] = [headOf(1n), headOf(2n), headOf(3n), headOf(4n)]

it('shows a new head once it was prepared, and the one before it until then', async () => {
  const { shown, shows, answer, finish } = start()
  answer(one)
  answer(two)
  expect(shown.findFresh()).toBe(one)
  await finish(two)
  expect(shown.findFresh()).toBe(two)
  expect(shows).toEqual([1n, 2n])
})

it('shows nothing before the first head was prepared', async () => {
  const { shown, answer, finish } = start({ isFirstPrepared: true })
  answer(one)
  expect(shown.state().head).toBeUndefined()
  await finish(one)
  expect(shown.findFresh()).toBe(one)
})

it('shows the first head to who asks for it, prepared or not', async () => {
  const { shown, shows, answer, finish } = start({ isFirstPrepared: true })
  answer(one)
  expect(await shown.reach(one)).toBe(one)
  await finish(one)
  answer(one)
  expect(shows).toEqual([1n])
})

it('shows a new head at once while nobody would wait for it', () => {
  const { shown, prepared, answer } = start({ isInUse: false })
  answer(one)
  answer(two)
  expect(shown.findFresh()).toBe(two)
  expect(prepared).toEqual([])
})

it('prepares one at a time, and of the blocks that came meanwhile the newest', async () => {
  const { prepared, shows, answer, finish } = start()
  for (const head of [one, two, three, four]) answer(head)
  expect(prepared).toEqual([2n])
  await finish(two)
  expect(prepared).toEqual([2n, 4n])
  await finish(four)
  expect(shows).toEqual([1n, 2n, 4n])
})

it('shows the block of a reorganisation at once', () => {
  const { shown, prepared, answer } = start()
  for (const head of [one, two, headOf(1n, 1)]) answer(head)
  expect(shown.findFresh()).toEqual(headOf(1n, 1))
  expect(prepared).toEqual([2n])
})

it('shows a child of another parent at once', () => {
  const { shown, answer } = start()
  answer(one)
  answer(headOf(2n, 1))
  expect(shown.findFresh()).toEqual(headOf(2n, 1))
})

it('does not show what was replaced while it was prepared', async () => {
  const { shown, shows, answer, finish } = start()
  const other = headOf(2n, 1, 0)
  for (const head of [one, two, other]) answer(head)
  await finish(two)
  await finish(other)
  expect(shown.findFresh()).toBe(other)
  expect(shows).toEqual([1n, 2n])
})

it('shows what is newest as soon as nobody has confirmed what is shown for its maximum age', () => {
  const { shown, answer, pass } = start()
  answer(one)
  answer(two)
  pass(10_000)
  answer(two)
  expect(shown.findFresh()).toBe(one)
  pass(1)
  expect(shown.findFresh()).toBeUndefined()
  answer(two)
  expect(shown.findFresh()).toBe(two)
})

it('counts a prepared head from when a node confirmed it, not from when it was prepared', async () => {
  const { shown, answer, pass, finish } = start()
  answer(one)
  pass(1000)
  answer(two)
  pass(2000)
  answer(two)
  pass(4000)
  await finish(two)
  expect(shown.state()).toEqual({ head: two, confirmedAtMs: 3000 })
})

it('is reached once it, or a later head, is shown', async () => {
  const { shown, answer, finish } = start()
  for (const head of [one, two, three]) answer(head)
  let reached: Head | undefined
  const reaching = shown.reach(three).then((head) => (reached = head))
  await finish(two)
  expect(reached).toBeUndefined()
  await finish(three)
  await reaching
  expect(reached).toBe(three)
  expect(await shown.reach(two)).toBe(three)
})

function hashOf(number: bigint, fork: number): `0x${string}` {
  return `0x${fork}${number.toString(16).padStart(63, '0')}`
}
