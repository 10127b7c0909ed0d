import { Errors } from '@agio/core'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { headOf, startHeads } from '../../test/startHeads.ts'
import { createHeads, type Heads } from './createHeads.ts'
import type { PrefetchOutcome } from './createPublishedHead.ts'
import type { Head } from './Head.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

// Health reports a read that is unanswered for longer: packages/api/src/health/toHealth.test.ts.
function isReported(heads: Heads): boolean {
  const { pendingSinceMs = Infinity, slowAfterMs } = heads.state()
  return performance.now() - pendingSinceMs > slowAfterMs
}

/** Returns the milliseconds from the call until health reports the node. */
async function measureReport({ heads, pass }: ReturnType<typeof startHeads>): Promise<number> {
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
  for (let offsetMs = 0; offsetMs <= 1050; offsetMs += 50) {
    const started = startHeads({ takes })
    await started.pass(60_000 + offsetMs)
    if (isUsed) await started.heads.get()
    started.node.hangs = true
    expect(await measureReport(started)).toBeLessThan(1910)
    started.heads.stop()
  }
})

it.each([0, 250, 500, 750, 999])(
  'a node that hangs while a chain is idle is reported within 1.91 s, if a request arrives %i ms later',
  async (delayMs) => {
    const { heads, node, pass } = startHeads({ takes: false })
    await pass(60_000)
    node.hangs = true
    const sinceMs = performance.now()
    await pass(delayMs)
    const used = heads.get()
    while (!isReported(heads)) await pass(1)
    expect(performance.now() - sinceMs).toBeLessThan(1910)
    // The request gets the last confirmed head.
    await pass(900)
    expect(await used).toEqual(headOf(1n))
  },
)

it('a node that hangs right after a notice is reported within 1.91 s', async () => {
  const started = startHeads()
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

const unreadable = { error: Errors.upstreamError({ action: 'read', reason: 'no' }), isUnreadable: true }

it.each<[string, (count: number) => Head, PrefetchOutcome]>([
  ['a newer block at each read', (count) => headOf(1n + BigInt(Math.floor(count / 5))), unreadable],
  ['a block and the block before it in turn', (count) => headOf(2n - BigInt(count % 2)), unreadable],
  ['one of two blocks of the same number in turn', (count) => headOf(1n, count % 2), unreadable],
  ['one of two readable blocks of the same number in turn', (count) => headOf(1n, count % 2), {}],
])('a request waits for at most three prefetches if a node announces %s', async (_, newest, outcome) => {
  const startedAtMs = performance.now()
  const answer = () => newest(Math.floor((performance.now() - startedAtMs) / 50))
  const heads = createHeads({
    maxAgeMs: 10_000,
    read: () => runAfter(50, answer),
    async subscribe(onNotice) {
      const notices = setInterval(() => onNotice(answer()), 250)
      return { read: async () => answer(), ended: new Promise(() => {}), stop: () => clearInterval(notices) }
    },
    prefetch: () => runAfter(300, () => outcome),
  })
  onTestFinished(() => heads.stop())
  for (const request of [heads.get, heads.refresh, heads.refresh]) {
    const requestedAtMs = performance.now()
    let tookMs: number | undefined
    void Promise.resolve(request()).then(() => (tookMs = performance.now() - requestedAtMs))
    await vi.advanceTimersByTimeAsync(5010)
    expect(tookMs).toBeLessThan(1100)
  }
})

function runAfter<Result>(delayMs: number, work: () => Result): Promise<Result> {
  return new Promise((resolve) => setTimeout(() => resolve(work()), delayMs))
}
