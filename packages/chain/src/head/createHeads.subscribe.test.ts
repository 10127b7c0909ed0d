import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { headOf, startHeads } from '../../test/startHeads.ts'
import { createHeads } from './createHeads.ts'
import type { Subscription } from './Subscription.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('the newest block is read once after subscribing, and not again while notices come within 400 ms', async () => {
  const { heads, node, pass } = startHeads()
  await pass(0)
  expect(heads.state()).toMatchObject({ head: headOf(1n) })
  for (let number = 2n; number < 20n; number += 1n) {
    node.notify(headOf(number))
    expect(await heads.get()).toEqual(headOf(number))
    await pass(399)
  }
  expect(node).toMatchObject({ polls: 0, reads: 1, subscriptions: 1 })
})

it('a quiet chain stays confirmed by reads within half of the maximum age', async () => {
  const { heads, node, pass } = startHeads({ maxAgeMs: 800 })
  await pass(0)
  for (let count = 0; count < 30; count += 1) {
    await pass(400)
    expect(await heads.get()).toEqual(headOf(1n))
  }
  expect(node).toMatchObject({ polls: 0, reads: 1 + 30 })
})

it.each([0, 10_000, 3_600_000])(
  'a silent subscription is checked by a read every 400 ms at a maximum age of %i ms, and every second while idle',
  async (maxAgeMs) => {
    const { node, pass } = startHeads({ maxAgeMs })
    await pass(30_000)
    expect(node).toMatchObject({ polls: 0, reads: 1 + 75 })
    await pass(30_400)
    expect(node).toMatchObject({ polls: 0, reads: 1 + 76 + 28 })
  },
)

it('without a subscription the newest block is polled every 400 ms, and every second half a minute after the last use', async () => {
  const { heads, node, pass } = startHeads({ takes: false })
  await pass(0)
  for (let count = 0; count < 20; count += 1) {
    await heads.get()
    await pass(1000)
  }
  expect(node.polls).toBe(1 + 50)
  await pass(29_000)
  expect(node.polls).toBe(1 + 50 + 72)
  await pass(60_000)
  expect(node.polls).toBeLessThanOrEqual(1 + 50 + 75 + 60)
  node.newest = headOf(2n)
  await pass(1000)
  expect(heads.state()).toMatchObject({ head: headOf(2n) })
})

it('the first request after an idle time gets the last confirmed head if the node fails', async () => {
  const { heads, node, pass } = startHeads({ takes: false })
  await pass(60_000)
  node.fails = true
  expect(await heads.get()).toEqual(headOf(1n))
  expect(heads.state().error).toMatchObject({ code: 'svc/upstream-error' })
})

it('a subscription whose node does not answer is closed and opened anew, with polls meanwhile', async () => {
  const { heads, node, pass } = startHeads()
  await pass(0)
  Object.assign(node, { isDead: true, newest: headOf(2n) })
  await pass(850)
  expect(node).toMatchObject({ polls: 1 })
  expect(heads.state()).toMatchObject({ head: headOf(2n) })
  node.isDead = false
  await pass(500)
  expect(node.subscriptions).toBe(2)
})

it('a subscription that cannot be opened is retried without end, after 0.5 s at first and every 10 s at last', async () => {
  const { node, pass } = startHeads({ takes: false })
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

it('a notice of garbage makes the heads read the newest block, at most every 400 ms', async () => {
  const { heads, node, pass } = startHeads()
  await pass(399)
  node.notify(headOf(1n))
  await pass(300)
  node.newest = headOf(2n)
  node.notify(undefined)
  await pass(0)
  expect(heads.state()).toMatchObject({ head: headOf(2n) })
  for (let count = 0; count < 100; count += 1) {
    node.notify(undefined)
    await pass(100)
  }
  expect(node.reads).toBeLessThanOrEqual(2 + 25)
  expect(node).toMatchObject({ polls: 0, subscriptions: 1 })
})

it('the head after a burst of notices is the newest of them, in any order', async () => {
  const { heads, node, pass } = startHeads()
  await pass(1000)
  node.newest = headOf(9n)
  // Block 6 is unknown before.
  for (const number of [2n, 3n, 5n, 4n, 9n, 6n, 8n, 7n]) node.notify(headOf(number))
  expect(heads.state()).toMatchObject({ head: headOf(9n) })
  await pass(1000)
  expect(heads.state()).toMatchObject({ head: headOf(9n) })
})

it('a notified reorganisation moves the head at once if its parent is known', async () => {
  const { heads, node, pass } = startHeads()
  await pass(0)
  for (const number of [2n, 3n, 4n]) node.notify(headOf(number))
  const [third, fourth] = [
    { ...headOf(3n, 1), parentHash: headOf(2n).hash },
    { ...headOf(4n, 1), parentHash: headOf(3n, 1).hash },
  ]
  node.notify(third)
  expect(heads.state()).toMatchObject({ head: third })
  node.notify(fourth)
  expect(heads.state()).toMatchObject({ head: fourth })
})

it.each([
  ['falls', headOf(2n, 1)],
  ['replaces the head', headOf(4n, 1)],
  ['has a foreign parent', { ...headOf(5n, 1), parentHash: headOf(4n, 1).hash }],
  ['jumps', headOf(21n, 1)],
])('a notified block that %s, which may be of another chain, is the head only once it is read', async (_, notice) => {
  const { heads, node, pass } = startHeads()
  await pass(0)
  for (const number of [2n, 3n, 4n]) node.notify(headOf(number))
  const { reads } = node
  node.newest = headOf(5n)
  node.notify(notice)
  expect(heads.state()).toMatchObject({ head: headOf(4n) })
  await pass(400)
  expect(heads.state()).toMatchObject({ head: headOf(5n) })
  expect(node.reads).toBe(reads + 1)
})

it.each([{ takes: true }, { takes: false }])(
  'heads that are stopped leave no timer and no request behind (%o)',
  async (options) => {
    const { heads, node, pass } = startHeads(options)
    await pass(3000)
    heads.stop()
    await pass(0)
    expect(vi.getTimerCount()).toBe(0)
    const { polls, reads, subscriptions } = node
    await pass(60_000)
    expect(node).toMatchObject({ polls, reads, subscriptions })
  },
)

it('heads that are stopped while a subscription opens leave no timer and no subscription behind', async () => {
  const { promise, resolve } = Promise.withResolvers<Subscription>()
  const heads = createHeads({ read: () => Promise.resolve(headOf(1n)), subscribe: () => promise, maxAgeMs: 10_000 })
  const stop = vi.fn()
  heads.stop()
  resolve({ read: () => Promise.resolve(headOf(1n)), ended: Promise.resolve(), stop })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(stop).toHaveBeenCalledOnce()
  expect(vi.getTimerCount()).toBe(0)
})

it('a read that fails over a subscription keeps the error until a read succeeds, after any notice', async () => {
  const { heads, node, pass } = startHeads()
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
