import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  admitMany,
  available,
  createStore,
  elapse,
  openProcess,
  rate,
  returnMs,
  unavailable,
} from '../../testing/openProcess.ts'
import type { CountedRequests, CountingRequest, CountingStore } from './CountingStore.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

it('when a store is available again, it has the calls of every process, although no further request reaches one of them', async () => {
  const { store, set, used } = createStore()
  const [one, other] = [await openProcess(store, () => 2), await openProcess(store, () => 2)]
  await admitMany(one.limiter, 10)
  await admitMany(other.limiter, 10)
  await vi.advanceTimersByTimeAsync(500)
  set('fails')
  expect([await admitMany(one.limiter, 100), await admitMany(other.limiter, 30)]).toEqual([40, 30])
  set('works')
  // Both have reported these calls, and one of them admits the rest of its share.
  await vi.advanceTimersByTimeAsync(300)
  expect(used()).toBe(90)
  expect([await admitMany(one.limiter, 100), await admitMany(other.limiter, 100)]).toEqual([0, 10])
  await vi.advanceTimersByTimeAsync(returnMs - 300)
  expect([one.limiter.state(), other.limiter.state(), used()]).toEqual(['shared', 'shared', 100])
  expect(await admitMany(one.limiter, 100)).toBe(0)
})

it.each([0, 100, 240, 250, 350, 490])(
  'processes whose probes reach a store %d ms apart together admit the limit and at most one more call each',
  async (apartMs) => {
    const server = createTestServer()
    const [one, other] = [await openCutProcess(server), await openCutProcess(server)]
    const limiters = [one.limiter, other.limiter]
    let admitted = 0
    const call = async () => {
      for (const limiter of limiters) admitted += await admitMany(limiter, 2)
    }
    one.cut()
    await call()
    await vi.advanceTimersByTimeAsync(apartMs % 250)
    other.cut()
    await call()
    one.restore()
    if (apartMs < 250) other.restore()
    for (let passedMs = 0; limiters.some((limiter) => limiter.state() !== 'shared'); passedMs += 10) {
      await call()
      if (passedMs === 250) other.restore()
      await vi.advanceTimersByTimeAsync(10)
    }
    for (const limiter of limiters) admitted += await admitMany(limiter, 100)
    await vi.advanceTimersByTimeAsync(returnMs)
    expect([100, 101, 102]).toContain(admitted)
    expect(server.used('a', rate)).toBe(admitted)
  },
)

it.each(['executed', 'lost'] as const)(
  'a report of many subjects fails halfway, at a request that is %s, and the calls of each subject are added once',
  async (outcome) => {
    const server = createTestServer()
    const store = failReport(server.createStore(), 150, outcome)
    const { limiter, log } = await openProcess(() => store)
    server.set('fails')
    const subjects = Array.from({ length: 250 }, (_, index) => `subject ${index}`)
    for (const subject of subjects) await limiter.admit(subject, [rate], [3])
    server.set('works')
    await vi.advanceTimersByTimeAsync(returnMs)
    expect(limiter.state()).toBe('unavailable')
    await vi.advanceTimersByTimeAsync(250)
    expect(log).toEqual([unavailable, available])
    expect(new Set(subjects.map((subject) => server.used(subject, rate)))).toEqual(new Set([3]))
    expect(store.countMostAtOnce()).toBe(100)
  },
)

it('a process that is closed during a report ends at once, and leaves no timer', async () => {
  const { store, set, calls } = createStore()
  const { limiter } = await openProcess(store)
  set('fails')
  await admitMany(limiter, 20)
  set('works')
  await vi.advanceTimersByTimeAsync(250)
  set('hangs')
  await vi.advanceTimersByTimeAsync(500)
  await elapse(0, limiter.close())
  const before = calls.admit
  await vi.advanceTimersByTimeAsync(10_000)
  expect([calls.admit, vi.getTimerCount()]).toEqual([before, 0])
})

/** Opens the limiter of one of two processes, whose connection to the server can be cut. */
async function openCutProcess(server: TestServer) {
  const store = server.createStore()
  let isCut = false
  const admit: CountingStore['admit'] = async (request) => {
    if (isCut) throw new Error('Cannot count: the connection is closed')
    return await store.admit(request)
  }
  const { limiter } = await openProcess(
    () => ({ ...store, admit }),
    () => 2,
  )
  return { limiter, cut: () => void (isCut = true), restore: () => void (isCut = false) }
}

/** Rejects one report of unsynced calls, which the store has executed or not. */
function failReport(store: CountingStore, failing: number, outcome: 'executed' | 'lost') {
  let [reports, waiting, most] = [0, 0, 0]
  async function report(request: CountingRequest): Promise<CountedRequests> {
    reports += 1
    const isFailing = reports === failing
    if (!isFailing) return await store.admit(request)
    if (outcome === 'executed') await store.admit(request)
    throw new Error('Cannot count: the connection was closed')
  }
  async function admit(request: CountingRequest): Promise<CountedRequests> {
    if (request.costs.length > 0) return await store.admit(request)
    waiting += 1
    most = Math.max(most, waiting)
    return await report(request).finally(() => (waiting -= 1))
  }
  return { ...store, admit, countMostAtOnce: () => most }
}
