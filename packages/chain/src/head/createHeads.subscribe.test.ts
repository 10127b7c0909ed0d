import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createHeads, type Heads } from './createHeads.ts'
import type { Head } from './Head.ts'
import type { Subscription } from './Subscription.ts'

const headOf = (number: bigint, fork = 0): Head => ({
  number,
  hash: `0x${fork}${number.toString(16).padStart(63, '0')}`,
  timestampSeconds: number,
})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Creates heads over a scripted node: its newest block, whether it accepts subscriptions, and how often it is read. */
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

it('the newest block is read once after subscribing, and not again while notices come within 400 ms', async () => {
  const { heads, node, pass } = start()
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
  const { heads, node, pass } = start({ maxAgeMs: 800 })
  await pass(0)
  for (let count = 0; count < 30; count += 1) {
    await pass(400)
    expect(await heads.get()).toEqual(headOf(1n))
  }
  expect(node).toMatchObject({ polls: 0, reads: 1 + 30 })
})

it.each([0, 10_000, 3_600_000])(
  'a silent subscription is checked by a read every 400 ms at a maximum age of %i ms',
  async (maxAgeMs) => {
    const { node, pass } = start({ maxAgeMs })
    await pass(60_000)
    expect(node).toMatchObject({ polls: 0, reads: 1 + 150 })
  },
)

it('without a subscription the newest block is polled every 400 ms, in use and while idle', async () => {
  const { heads, node, pass } = start({ takes: false })
  await pass(0)
  for (let count = 0; count < 20; count += 1) {
    await heads.get()
    await pass(1000)
  }
  expect(node.polls).toBe(1 + 50)
  await pass(60_000)
  expect(node.polls).toBe(1 + 50 + 150)
  node.newest = headOf(2n)
  await pass(1000)
  expect(heads.state()).toMatchObject({ head: headOf(2n) })
})

it('polling starts as soon as a subscription ends, and stops once there is another one', async () => {
  const { heads, node, pass } = start()
  await pass(399)
  node.notify(headOf(1n))
  await pass(399)
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

it('a subscription that cannot be opened is retried without end, after 0.5 s at first and every 10 s at last', async () => {
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

it('a subscription that does not answer is closed and opened anew, with polls meanwhile', async () => {
  const { heads, node, pass } = start()
  await pass(0)
  Object.assign(node, { isDead: true, newest: headOf(2n) })
  await pass(850)
  expect(node).toMatchObject({ polls: 1 })
  expect(heads.state()).toMatchObject({ head: headOf(2n) })
  node.isDead = false
  await pass(500)
  expect(node.subscriptions).toBe(2)
})

it('a notice of garbage makes the heads read the newest block, at most every 400 ms', async () => {
  const { heads, node, pass } = start()
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
  const { heads, node, pass } = start()
  await pass(1000)
  node.newest = headOf(9n)
  // Block 6 is unknown before.
  for (const number of [2n, 3n, 5n, 4n, 9n, 6n, 8n, 7n]) node.notify(headOf(number))
  expect(heads.state()).toMatchObject({ head: headOf(9n) })
  await pass(1000)
  expect(heads.state()).toMatchObject({ head: headOf(9n) })
})

it('a notified reorganisation moves the head at once if its parent is known', async () => {
  const { heads, node, pass } = start()
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
  const { heads, node, pass } = start()
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

it('heads.next resolves when a block is notified', async () => {
  const { heads, node, pass } = start()
  await pass(0)
  const waiting = heads.next(60_000, headOf(1n).hash)
  node.notify(headOf(2n))
  expect(await waiting).toBe(true)
})

it.each([{ takes: true }, { takes: false }])(
  'heads that are stopped leave no timer and no request behind (%o)',
  async (options) => {
    const { heads, node, pass } = start(options)
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

describe('a node that hangs', () => {
  // Health reports a read that is unanswered for more than 1.5 s: packages/api/src/health/toHealth.test.ts.
  const slowPollMs = 1500

  const isReported = (heads: Heads) => performance.now() - (heads.state().pendingSinceMs ?? Infinity) > slowPollMs

  /** Returns the milliseconds from the call until health reports the node. */
  async function measureReport({ heads, pass }: ReturnType<typeof start>): Promise<number> {
    const sinceMs = performance.now()
    while (!isReported(heads)) await pass(1)
    return performance.now() - sinceMs
  }

  it.each([
    { mode: 'idle, over HTTP', takes: false, isUsed: false },
    { mode: 'in use, over HTTP', takes: false, isUsed: true },
    { mode: 'idle, with a silent subscription', takes: true, isUsed: false },
    { mode: 'in use, with a silent subscription', takes: true, isUsed: true },
  ])('a node that hangs is reported within 1.91 s, from any time on: $mode', async ({ takes, isUsed }) => {
    for (let offsetMs = 0; offsetMs <= 400; offsetMs += 50) {
      const started = start({ takes })
      await started.pass(30_000 + offsetMs)
      if (isUsed) await started.heads.get()
      started.node.hangs = true
      expect(await measureReport(started)).toBeLessThan(1910)
      started.heads.stop()
    }
  })

  it('a node that hangs right after a notice is reported within 1.91 s', async () => {
    const started = start()
    await started.pass(30_399)
    started.node.notify(headOf(2n))
    started.node.hangs = true
    expect(await measureReport(started)).toBeLessThan(1910)
  })

  it('a node that hangs right after a slow response is reported within 1.91 s', async () => {
    let delayMs = 1000
    const read = async () => {
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      return headOf(1n)
    }
    const heads = createHeads({ read, maxAgeMs: 10_000 })
    onTestFinished(() => heads.stop())
    await vi.advanceTimersByTimeAsync(1000)
    expect(heads.state().lastReadMs).toBe(1000)
    delayMs = 3_600_000
    const sinceMs = performance.now()
    while (!isReported(heads)) await vi.advanceTimersByTimeAsync(1)
    expect(performance.now() - sinceMs).toBeLessThan(1910)
  })
})
