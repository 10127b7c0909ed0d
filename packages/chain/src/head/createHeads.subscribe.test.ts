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

/** Heads over a scripted node: its newest block, whether it takes subscriptions, and how often it is asked. */
function start({ maxAgeMs = 10_000, takes = true } = {}) {
  const node = {
    newest: headOf(1n),
    takes,
    isDead: false,
    hangs: false,
    fails: false,
    /** Reads of the newest block over any node, and over the subscribed one. */
    polls: 0,
    reads: 0,
    subscriptions: 0,
    notify: (_: Head | undefined) => {},
    end: () => {},
  }
  const answer = async () => {
    if (node.hangs) await new Promise(() => {})
    if (node.fails) throw new Error('broken')
    return node.newest
  }
  const heads = createHeads({
    maxAgeMs,
    read: () => {
      node.polls += 1
      return answer()
    },
    subscribe: (onNotice) => {
      node.subscriptions += 1
      if (!node.takes) return Promise.reject(new Error('the method does not exist'))
      const { promise: ended, resolve: end } = Promise.withResolvers<void>()
      Object.assign(node, { notify: onNotice, end })
      const read = () => {
        node.reads += 1
        return node.isDead ? Promise.reject(new Error('late')) : answer()
      }
      return Promise.resolve<Subscription>({ read, ended, stop: end })
    },
  })
  onTestFinished(() => heads.stop())
  return { heads, node, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) }
}

it('the newest block is read once after subscribing, and not again while notices come', async () => {
  const { heads, node, pass } = start()
  await pass(0)
  expect(heads.state()).toMatchObject({ head: headOf(1n) })
  for (let number = 2n; number < 20n; number += 1n) {
    node.notify(headOf(number))
    expect(await heads.get()).toEqual(headOf(number))
    await pass(900)
  }
  expect(node).toMatchObject({ polls: 0, reads: 1, subscriptions: 1 })
})

it('a quiet chain stays confirmed by a read after each half of the maximum age', async () => {
  const { heads, node, pass } = start({ maxAgeMs: 1600 })
  await pass(0)
  for (let count = 0; count < 30; count += 1) {
    await pass(800)
    expect(await heads.get()).toEqual(headOf(1n))
  }
  expect(node).toMatchObject({ polls: 0, reads: 1 + 30 })
})

it('a silent subscription is checked by a read each second, whatever the maximum age', async () => {
  const { node, pass } = start({ maxAgeMs: 3_600_000 })
  await pass(60_000)
  expect(node).toMatchObject({ polls: 0, reads: 1 + 60 })
})

it('a silent subscription is read at most twice a second, whatever the maximum age', async () => {
  const { node, pass } = start({ maxAgeMs: 0 })
  await pass(10_000)
  expect(node).toMatchObject({ polls: 0, reads: 1 + 20 })
})

it('without a subscription the newest block is polled twice a second in use, and once while idle', async () => {
  const { heads, node, pass } = start({ takes: false })
  await pass(10_400)
  expect(node.polls).toBe(1 + 20)
  await pass(20_000)
  expect(node.polls).toBe(1 + 20 + 20)
  node.newest = headOf(2n)
  await pass(1000)
  expect(heads.state()).toMatchObject({ head: headOf(2n) })
})

it('polling starts as soon as a subscription ends, and stops once there is another one', async () => {
  const { heads, node, pass } = start()
  await pass(3900)
  Object.assign(node, { takes: false, newest: headOf(2n) })
  node.end()
  await pass(0)
  expect(heads.state()).toMatchObject({ head: headOf(2n) })
  node.newest = headOf(3n)
  await pass(1000)
  expect(heads.state()).toMatchObject({ head: headOf(3n) })
  node.takes = true
  await pass(10_000)
  const { polls, reads } = node
  await pass(60_000)
  expect(node.polls).toBe(polls)
  expect(node.reads).toBeGreaterThan(reads)
})

it('subscribing is retried without end, after 0.5 s at first and every 10 s at last', async () => {
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

it('a subscription that does not answer is closed, polled past and opened anew', async () => {
  const { heads, node, pass } = start()
  await pass(0)
  Object.assign(node, { isDead: true, newest: headOf(2n) })
  await pass(1500)
  expect(node).toMatchObject({ polls: 1 })
  expect(heads.state()).toMatchObject({ head: headOf(2n) })
  node.isDead = false
  await pass(500)
  expect(node.subscriptions).toBe(2)
})

it('a notice of garbage makes the service read the newest block, at most twice a second', async () => {
  const { heads, node, pass } = start()
  await pass(900)
  node.newest = headOf(2n)
  node.notify(undefined)
  await pass(0)
  expect(heads.state()).toMatchObject({ head: headOf(2n) })
  for (let count = 0; count < 100; count += 1) {
    node.notify(undefined)
    await pass(100)
  }
  expect(node.reads).toBeLessThanOrEqual(2 + 20)
  expect(node).toMatchObject({ polls: 0, subscriptions: 1 })
})

it('the head after a burst of notices is the newest of them, in whatever order they come', async () => {
  const { heads, node, pass } = start()
  await pass(1000)
  node.newest = headOf(9n)
  // Block 6 is unknown before.
  for (const number of [2n, 3n, 5n, 4n, 9n, 6n, 8n, 7n]) node.notify(headOf(number))
  expect(heads.state()).toMatchObject({ head: headOf(9n) })
  await pass(1000)
  expect(heads.state()).toMatchObject({ head: headOf(9n) })
})

it('a notified reorganisation moves the head at once', async () => {
  const { heads, node, pass } = start()
  await pass(0)
  for (const number of [2n, 3n, 4n]) node.notify(headOf(number))
  node.notify(headOf(3n, 1))
  expect(heads.state()).toMatchObject({ head: headOf(3n, 1) })
  node.notify(headOf(4n, 1))
  expect(heads.state()).toMatchObject({ head: headOf(4n, 1) })
})

it('next resolves when a block is notified', async () => {
  const { heads, node, pass } = start()
  await pass(0)
  const waiting = heads.next(60_000, headOf(1n).hash)
  node.notify(headOf(2n))
  expect(await waiting).toBe(true)
})

it.each([{ takes: true }, { takes: false }])('stop leaves no timer and no request behind (%o)', async (options) => {
  const { heads, node, pass } = start(options)
  await pass(3000)
  heads.stop()
  await pass(0)
  expect(vi.getTimerCount()).toBe(0)
  const { polls, reads, subscriptions } = node
  await pass(60_000)
  expect(node).toMatchObject({ polls, reads, subscriptions })
})

it('stop while a subscription opens leaves no timer and no subscription behind', async () => {
  const { promise, resolve } = Promise.withResolvers<Subscription>()
  const heads = createHeads({ read: () => Promise.resolve(headOf(1n)), subscribe: () => promise, maxAgeMs: 10_000 })
  const stop = vi.fn()
  heads.stop()
  resolve({ read: () => Promise.resolve(headOf(1n)), ended: Promise.resolve(), stop })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(stop).toHaveBeenCalledOnce()
  expect(vi.getTimerCount()).toBe(0)
})

it('a read that fails over a subscription keeps the error until a read succeeds, whatever is notified', async () => {
  const { heads, node, pass } = start()
  await pass(0)
  node.fails = true
  await expect(heads.refresh()).rejects.toMatchObject({ code: 'svc/upstream-error' })
  for (let number = 2n; number < 7n; number += 1n) {
    node.notify(headOf(number))
    await pass(100)
  }
  expect(heads.state()).toMatchObject({ head: headOf(6n), error: { code: 'svc/upstream-error' } })
  node.fails = false
  await pass(1000)
  expect(heads.state().error).toBeUndefined()
})

it.each([
  { takes: false, withinMs: 500 },
  { takes: true, withinMs: 1000 },
])(
  'a watched node that hangs has an unanswered read soon after ($withinMs ms, subscribed: $takes)',
  async ({ takes, withinMs }) => {
    const { heads, node, pass } = start({ takes })
    await pass(30_000)
    expect(heads.watch()).toMatchObject({ error: undefined, pendingSinceMs: undefined })
    node.hangs = true
    const hangsSinceMs = Date.now()
    await pass(1990)
    const { pendingSinceMs = Infinity } = heads.watch()
    expect(pendingSinceMs - hangsSinceMs).toBeLessThanOrEqual(withinMs)
  },
)

it('an idle chain is polled twice a second while its state is watched, and once again after that', async () => {
  const { heads, node, pass } = start({ takes: false })
  await pass(30_400)
  const before = node.polls
  for (let second = 0; second < 10; second += 1) {
    heads.watch()
    await pass(1000)
  }
  expect(node.polls - before).toBeLessThanOrEqual(20)
  expect(node.polls - before).toBeGreaterThanOrEqual(19)
  await pass(2000)
  const after = node.polls
  await pass(10_000)
  expect(node.polls - after).toBe(10)
})
