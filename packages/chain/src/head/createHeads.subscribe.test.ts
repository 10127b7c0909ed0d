import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { createHeads } from './createHeads.ts'
import type { Head } from './Head.ts'
import type { Subscription } from './Subscription.ts'

const headOf = (number: bigint, fork = 0): Head => ({
  number,
  hash: `0x${fork}${number.toString(16).padStart(63, '0')}`,
  timestampSeconds: number,
})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Heads over a node of the test's own: its chain, whether it takes subscriptions, and what came of them. */
function start({ maxAgeMs = 10_000, takes = true } = {}) {
  const node = {
    newest: headOf(1n),
    takes,
    isDead: false,
    /** Questions by `read`, and over a subscription. */
    polls: 0,
    questions: 0,
    subscriptions: 0,
    notify: (_: Head | undefined) => {},
    end: () => {},
  }
  const heads = createHeads({
    maxAgeMs,
    read: () => {
      node.polls += 1
      return Promise.resolve(node.newest)
    },
    subscribe: (onNotice) => {
      node.subscriptions += 1
      if (!node.takes) return Promise.reject(new Error('the method does not exist'))
      const { promise: ended, resolve: end } = Promise.withResolvers<void>()
      Object.assign(node, { notify: onNotice, end })
      const read = () => {
        node.questions += 1
        return node.isDead ? Promise.reject(new Error('late')) : Promise.resolve(node.newest)
      }
      return Promise.resolve<Subscription>({ read, ended, stop: end })
    },
  })
  onTestFinished(() => heads.stop())
  return { heads, node, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) }
}

it('asks once when it has subscribed, and then only listens', async () => {
  const { heads, node, pass } = start()
  await pass(0)
  expect(heads.state()).toMatchObject({ head: headOf(1n) })
  for (let number = 2n; number < 20n; number += 1n) {
    node.notify(headOf(number))
    expect(await heads.get()).toEqual(headOf(number))
    await pass(2000)
  }
  expect(node).toMatchObject({ polls: 0, questions: 1, subscriptions: 1 })
})

it('keeps a quiet chain confirmed by a question each half of the maximum age', async () => {
  const { heads, node, pass } = start({ maxAgeMs: 4000 })
  await pass(0)
  for (let second = 0; second < 60; second += 1) {
    await pass(1000)
    expect(await heads.get()).toEqual(headOf(1n))
  }
  expect(node).toMatchObject({ polls: 0, questions: 1 + 30 })
})

it('asks at least each five seconds, however old a head may be', async () => {
  const { node, pass } = start({ maxAgeMs: 3_600_000 })
  await pass(60_000)
  expect(node).toMatchObject({ polls: 0, questions: 1 + 12 })
})

it('asks at most twice a second, however young a head must be', async () => {
  const { node, pass } = start({ maxAgeMs: 0 })
  await pass(10_000)
  expect(node).toMatchObject({ polls: 0, questions: 1 + 20 })
})

it('polls as without it while there is none: twice a second in use, once while idle', async () => {
  const { heads, node, pass } = start({ takes: false })
  await pass(10_400)
  expect(node.polls).toBe(1 + 20)
  await pass(20_000)
  expect(node.polls).toBe(1 + 20 + 20)
  node.newest = headOf(2n)
  await pass(1000)
  expect(heads.state()).toMatchObject({ head: headOf(2n) })
})

it('polls at once when a subscription ends, until there is one again', async () => {
  const { heads, node, pass } = start()
  await pass(4000)
  Object.assign(node, { takes: false, newest: headOf(2n) })
  node.end()
  await pass(0)
  expect(heads.state()).toMatchObject({ head: headOf(2n) })
  node.newest = headOf(3n)
  await pass(1000)
  expect(heads.state()).toMatchObject({ head: headOf(3n) })
  node.takes = true
  await pass(10_000)
  const { polls, questions } = node
  await pass(60_000)
  expect(node.polls).toBe(polls)
  expect(node.questions).toBeGreaterThan(questions)
})

it('tries again for ever, after 0.5 s at first and each 10 s at last', async () => {
  const { node, pass } = start({ takes: false })
  await pass(499)
  expect(node.subscriptions).toBe(1)
  await pass(1)
  expect(node.subscriptions).toBe(2)
  // Half a second, and 1, 2, 4 and 8 more.
  await pass(15_000)
  const { subscriptions } = node
  await pass(3_600_000)
  expect(node.subscriptions).toBe(subscriptions + 360)
})

it('is done with a subscription that does not answer: it is dead', async () => {
  const { heads, node, pass } = start()
  await pass(0)
  Object.assign(node, { isDead: true, newest: headOf(2n) })
  await pass(5500)
  expect(node).toMatchObject({ polls: 1 })
  expect(heads.state()).toMatchObject({ head: headOf(2n) })
  node.isDead = false
  await pass(500)
  expect(node.subscriptions).toBe(2)
})

it('asks for the newest block when it is told garbage, at most twice a second', async () => {
  const { heads, node, pass } = start()
  await pass(1000)
  node.newest = headOf(2n)
  node.notify(undefined)
  await pass(0)
  expect(heads.state()).toMatchObject({ head: headOf(2n) })
  for (let count = 0; count < 100; count += 1) {
    node.notify(undefined)
    await pass(100)
  }
  expect(node.questions).toBeLessThanOrEqual(2 + 20)
  expect(node).toMatchObject({ polls: 0, subscriptions: 1 })
})

it('stays at the newest block of a burst, in whatever order it comes', async () => {
  const { heads, node, pass } = start()
  await pass(1000)
  node.newest = headOf(9n)
  // No one has told of block 6 before.
  for (const number of [2n, 3n, 5n, 4n, 9n, 6n, 8n, 7n]) node.notify(headOf(number))
  expect(heads.state()).toMatchObject({ head: headOf(9n) })
  await pass(1000)
  expect(heads.state()).toMatchObject({ head: headOf(9n) })
})

it('follows a reorganisation at once', async () => {
  const { heads, node, pass } = start()
  await pass(0)
  for (const number of [2n, 3n, 4n]) node.notify(headOf(number))
  node.notify(headOf(3n, 1))
  expect(heads.state()).toMatchObject({ head: headOf(3n, 1) })
  node.notify(headOf(4n, 1))
  expect(heads.state()).toMatchObject({ head: headOf(4n, 1) })
})

it('wakes who waits when it is told of a block', async () => {
  const { heads, node, pass } = start()
  await pass(0)
  const waiting = heads.next(60_000, headOf(1n).hash)
  node.notify(headOf(2n))
  expect(await waiting).toBe(true)
})

it.each([{ takes: true }, { takes: false }])('leaves nothing behind when it is stopped (%o)', async (options) => {
  const { heads, node, pass } = start(options)
  await pass(3000)
  heads.stop()
  await pass(0)
  expect(vi.getTimerCount()).toBe(0)
  const { polls, questions, subscriptions } = node
  await pass(60_000)
  expect(node).toMatchObject({ polls, questions, subscriptions })
})

it('leaves nothing behind when it is stopped while it subscribes', async () => {
  const { promise, resolve } = Promise.withResolvers<Subscription>()
  const heads = createHeads({ read: () => Promise.resolve(headOf(1n)), subscribe: () => promise, maxAgeMs: 10_000 })
  const stop = vi.fn()
  heads.stop()
  resolve({ read: () => Promise.resolve(headOf(1n)), ended: Promise.resolve(), stop })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(stop).toHaveBeenCalledOnce()
  expect(vi.getTimerCount()).toBe(0)
})
