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

it('after an outage the count of the store continues from the largest count of a process', async () => {
  const { store, set, used } = createStore()
  const [one, other] = [await openProcess(store, () => 2), await openProcess(store, () => 2)]
  await admitMany(one.limiter, 10)
  await admitMany(other.limiter, 10)
  set('fails')
  await admitMany(one.limiter, 20)
  await admitMany(other.limiter, 35)
  set('works')
  await vi.advanceTimersByTimeAsync(returnMs)
  expect([one.limiter.state(), other.limiter.state()]).toEqual(['shared', 'shared'])
  expect(one.log).toEqual([unavailable, available])
  // One knows of 10 and 20 calls, the other one of 20 and 35.
  await admitMany(one.limiter, 1)
  expect(used()).toBe(31)
  await admitMany(other.limiter, 1)
  expect(used()).toBe(56)
  await admitMany(one.limiter, 1)
  expect(used()).toBe(57)
})

it('calls that the store has counted without a response count once', async () => {
  const { store, set, used } = createStore()
  const [one, other] = [await openProcess(store), await openProcess(store)]
  await admitMany(one.limiter, 10)
  for (const _ of 'abc') {
    set('counts')
    await elapse(250, admitMany(one.limiter, 1))
    set('works')
    await vi.advanceTimersByTimeAsync(returnMs)
  }
  await admitMany(one.limiter, 1)
  expect(used()).toBe(14)
  expect(await admitMany(other.limiter, 200)).toBe(86)
})

it('a window that begins in several processes during an outage continues from the larger count afterwards', async () => {
  const { store, set, used } = createStore()
  const [one, other] = [await openProcess(store, () => 2), await openProcess(store, () => 2)]
  set('fails')
  await admitMany(one.limiter, 10)
  await vi.advanceTimersByTimeAsync(5000)
  await admitMany(other.limiter, 40)
  set('works')
  await vi.advanceTimersByTimeAsync(returnMs)
  await admitMany(one.limiter, 1)
  await admitMany(other.limiter, 1)
  expect(used()).toBe(41)
})

it('a window with calls from before is read again after an outage, so that it has the calls of all processes', async () => {
  const { store, set } = createStore()
  let written = 5
  const quota = { ...rate, name: 'quota', readUsed: async () => written }
  const [one, other] = [await openProcess(store, () => 2), await openProcess(store, () => 2)]
  const admit = async (process: typeof one, cost: number) =>
    (await process.limiter.admit('a', [quota], cost)).states[0]?.used
  expect(await admit(one, 1)).toBe(6)
  expect(await admit(other, 1)).toBe(7)
  set('fails')
  await admit(one, 20)
  await admit(other, 30)
  written = 57
  set('works')
  await vi.advanceTimersByTimeAsync(returnMs)
  expect(await admit(one, 1)).toBe(58)
  expect(await admit(other, 1)).toBe(59)
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
