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

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

it('a failover limiter adds the calls admitted during an outage to the count of the store, once', async () => {
  const { store, set, used } = createStore()
  const [one, other] = [await openProcess(store), await openProcess(store)]
  await admitMany(one.limiter, 10)
  await admitMany(other.limiter, 10)
  set('fails')
  await admitMany(one.limiter, 20)
  await admitMany(other.limiter, 30)
  set('works')
  await vi.advanceTimersByTimeAsync(returnMs)
  expect([one.limiter.state(), other.limiter.state()]).toEqual(['shared', 'shared'])
  expect(one.log).toEqual([unavailable, available])
  await admitMany(one.limiter, 1)
  await admitMany(other.limiter, 1)
  expect(used()).toBe(72)
  await admitMany(one.limiter, 1)
  await admitMany(other.limiter, 1)
  expect(used()).toBe(74)
})

it('calls of an outage whose sync fails are added to the calls of others by the next one', async () => {
  const { store, set, used } = createStore()
  const [one, other] = [await openProcess(store), await openProcess(store)]
  await admitMany(other.limiter, 30)
  set('fails')
  await admitMany(one.limiter, 20)
  set('works')
  await vi.advanceTimersByTimeAsync(returnMs)
  set('fails')
  await admitMany(one.limiter, 1)
  set('works')
  await vi.advanceTimersByTimeAsync(returnMs)
  await admitMany(one.limiter, 1)
  expect(used()).toBe(52)
})

it('calls of an outage are added to all of their windows, by requests that are for one window each', async () => {
  const { store, set } = createStore()
  const [one, other] = [await openProcess(store), await openProcess(store)]
  const quota = { ...rate, name: 'quota' }
  await other.limiter.admit('a', [rate, quota], [30, 30])
  set('fails')
  await one.limiter.admit('a', [rate, quota], [20, 20])
  set('works')
  await vi.advanceTimersByTimeAsync(returnMs)
  for (const window of [rate, quota]) {
    expect((await one.limiter.admit('a', [window])).states[0]?.used).toBe(51)
  }
})

it('calls of an outage are added to each of their windows by their cost in it', async () => {
  const { store, set } = createStore()
  const { limiter } = await openProcess(store)
  const windows = [rate, { ...rate, name: 'nodes' }, { ...rate, name: 'other' }]
  await limiter.admit('a', windows, [1, 4, 2])
  set('counts')
  // The store counts these, and its response is lost.
  const lost = [
    [1, 20],
    [2, 10],
  ].map(async (costs) => await limiter.admit('a', windows, costs))
  await elapse(250, Promise.all(lost))
  set('fails')
  await limiter.admit('a', windows, [3, 30])
  set('works')
  await vi.advanceTimersByTimeAsync(returnMs)
  const { isAdmitted, states } = await limiter.admit('a', windows, [1, 1])
  expect({ isAdmitted, used: states.map(({ used }) => used) }).toEqual({ isAdmitted: true, used: [8, 65, 2] })
})

it('a failover limiter syncs the calls of an outage once, although the store has counted a sync without a response', async () => {
  const { store, set, used } = createStore()
  const [one, other] = [await openProcess(store), await openProcess(store)]
  await admitMany(other.limiter, 10)
  set('fails')
  await admitMany(one.limiter, 20)
  for (const _ of 'abc') {
    set('works')
    await vi.advanceTimersByTimeAsync(returnMs)
    set('counts')
    await elapse(250, admitMany(one.limiter, 1))
  }
  expect(used()).toBe(33)
  set('works')
  await vi.advanceTimersByTimeAsync(returnMs)
  await admitMany(one.limiter, 1)
  expect(used()).toBe(34)
  expect(await admitMany(other.limiter, 200)).toBe(66)
})

it('processes that cannot reach their store together admit the remaining calls and at most one more call each', async () => {
  const { store, set } = createStore()
  const processes = await Promise.all(Array.from({ length: 3 }, () => openProcess(store, () => 3)))
  for (const [index, { limiter }] of processes.entries()) await admitMany(limiter, 10 * index)
  // Each learns of the calls of the others, although one has made none.
  await vi.advanceTimersByTimeAsync(500)
  expect(processes.map(({ limiter }) => limiter.getWindowState('a', rate).used)).toEqual([30, 30, 30])
  set('fails')
  const admitted = await Promise.all(processes.map(({ limiter }) => admitMany(limiter, 200)))
  expect(admitted).toEqual([24, 24, 24])
})

it('a process that has not learnt of the last calls of others admits no more than its share of those beyond', async () => {
  const { store, set } = createStore()
  const [one, other] = [await openProcess(store, () => 2), await openProcess(store, () => 2)]
  await admitMany(one.limiter, 40)
  set('fails')
  expect(await admitMany(one.limiter, 200)).toBe(30)
  // 100 and 40 / 2.
  expect(await admitMany(other.limiter, 200)).toBe(50)
})

it('requests that the store fails to count together are admitted within one share of the process', async () => {
  const { store, set } = createStore()
  const { limiter } = await openProcess(store, () => 2)
  const first = limiter.admit('a', [rate])
  const others = admitMany(limiter, 200)
  set('fails')
  await first
  // 49 or 50 beside the first call, which the store may have counted.
  expect([49, 50]).toContain(await others)
})

it('a process admits its share of a window that begins during an outage, and reports the shares of others as used', async () => {
  const { store, set } = createStore()
  const { limiter } = await openProcess(store, () => 4)
  set('fails')
  const first = await limiter.admit('a', [rate])
  expect(first.states[0]?.used).toBe(76)
  expect(limiter.getWindowState('a', rate).used).toBe(76)
  expect(await admitMany(limiter, 100)).toBe(24)
  expect((await limiter.admit('a', [rate])).states[0]?.used).toBe(100)
  expect(limiter.getWindowState('a', rate).used).toBe(100)
})

it('the share of a process shrinks when others join during an outage, and does not grow when others end', async () => {
  const { store, set } = createStore()
  let processes = 2
  const { limiter } = await openProcess(store, () => processes)
  set('fails')
  await limiter.admit('a', [rate])
  processes = 1
  expect(await admitMany(limiter, 100)).toBe(49)
  processes = 4
  expect(await admitMany(limiter, 100)).toBe(0)
  expect((await limiter.admit('b', [rate])).states[0]?.used).toBe(76)
  set('works')
  await vi.advanceTimersByTimeAsync(returnMs)
  processes = 1
  await admitMany(limiter, 1)
  set('fails')
  expect(await admitMany(limiter, 100)).toBe(49)
})

it('a failover limiter syncs a window that is full in this process, so that others learn of it', async () => {
  const { store, set } = createStore()
  const [one, other] = [await openProcess(store), await openProcess(store)]
  set('fails')
  expect(await admitMany(one.limiter, 200)).toBe(100)
  set('works')
  await vi.advanceTimersByTimeAsync(returnMs)
  expect(await admitMany(one.limiter, 1)).toBe(0)
  expect(await admitMany(other.limiter, 1)).toBe(0)
})
