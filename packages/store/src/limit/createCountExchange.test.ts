import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { SharedCount } from './CountingStore.ts'
import { createCountExchange } from './createCountExchange.ts'
import { createMemoryCounters } from './createMemoryLimiter.ts'
import type { Window } from './Limiter.ts'

const rate = { name: 'rate', limit: 100, lengthMs: 600_000 }

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

it('counts whose exchange failed are sent with the next one', async () => {
  using process = createProcess()
  process.count('a', 30)
  process.answer(async () => {
    throw new Error('The connection is closed')
  })
  await vi.advanceTimersByTimeAsync(300)
  process.answer(async () => [])
  await vi.advanceTimersByTimeAsync(300)
  const sent = [{ subject: 'a', window: 'rate', used: 30 }]
  expect(process.sent).toMatchObject([sent, sent])
  await vi.advanceTimersByTimeAsync(300)
  expect(process.sent[2]).toEqual([])
})

it('the counts of all windows of ten seconds or more are sent, whichever requests they limit', async () => {
  using process = createProcess()
  const burst = { name: 'burst', limit: 10, lengthMs: 1000 }
  process.answer(async () => [])
  process.count('a', 30)
  process.count('a', 3, [burst])
  process.count('b', 3, [burst, rate])
  await vi.advanceTimersByTimeAsync(300)
  expect(process.sent.flat().map(({ subject, window }) => [subject, window])).toEqual([
    ['a', 'rate'],
    ['b', 'rate'],
  ])
})

it('counts of other processes that arrive late are learnt', async () => {
  using process = createProcess()
  const { promise: late, resolve } = Promise.withResolvers<readonly SharedCount[]>()
  process.answer(() => late)
  await vi.advanceTimersByTimeAsync(5000)
  expect(process.sent.length).toBeGreaterThan(1)
  resolve([{ subject: 'a', window: 'rate', used: 30, endsInMs: 500_000 }])
  await vi.advanceTimersByTimeAsync(0)
  expect(process.counters.getWindowStates('a', [rate])[0]?.used).toBe(30)
})

it('a count of another process that arrives late does not last beyond the end of its window', async () => {
  using process = createProcess()
  const { promise: late, resolve } = Promise.withResolvers<readonly SharedCount[]>()
  process.answer(() => late)
  await vi.advanceTimersByTimeAsync(250 + 400)
  process.answer(async () => [])
  // The store responded 400 ms ago, and the window ends 5 s after that.
  resolve([{ subject: 'a', window: 'rate', used: 100, endsInMs: 5000 }])
  await vi.advanceTimersByTimeAsync(0)
  expect(process.counters.getWindowStates('a', [rate])[0]?.used).toBe(100)
  await vi.advanceTimersByTimeAsync(4600)
  expect(process.counters.getWindowStates('a', [rate])[0]?.used).toBe(0)
})

it('at most 500 counts are sent at a time, and at most 10,000 wait', async () => {
  using process = createProcess()
  for (let index = 0; index < 10_100; index += 1) process.count(`subject ${index}`, 1)
  await vi.advanceTimersByTimeAsync(6000)
  expect(process.sent.map((counts) => counts.length)).toEqual([...Array(20).fill(500), ...Array(4).fill(0)])
})

function createProcess() {
  const counters = createMemoryCounters(() => performance.now())
  const sent: (readonly SharedCount[])[] = []
  let exchange: () => Promise<readonly SharedCount[]> = async () => []
  const store = {
    exchange: (counts: readonly SharedCount[]) => {
      sent.push(counts)
      return exchange()
    },
  }
  const counts = createCountExchange({ store, counters, isAvailable: () => true })
  return {
    counters,
    sent,
    answer: (next: typeof exchange) => void (exchange = next),
    count(subject: string, requests: number, windows: readonly Window[] = [rate]) {
      counters.admit(
        subject,
        windows,
        windows.map(() => requests),
      )
      counts.add(subject, windows)
    },
    [Symbol.dispose]: () => counts.stop(),
  }
}
