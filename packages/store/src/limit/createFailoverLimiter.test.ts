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
import type { Admission } from './Limiter.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

it('a failover limiter refuses a request for a window that is known to be full without a call to the store', async () => {
  const { store, calls } = createStore()
  const { limiter } = await openProcess(store)
  await admitMany(limiter, 100)
  const before = calls.admit
  expect(await admitMany(limiter, 10)).toBe(0)
  expect(calls.admit).toBe(before)
})

it('requests of one turn count in their own windows, by their own limits, in their order', async () => {
  const { limiter } = await openProcess(createStore().store)
  const burst = { ...rate, name: 'burst', limit: 10 }
  const kinds = [[rate], [rate], [burst, rate], [burst, rate], [{ ...rate, limit: 4 }], [rate]]
  const admissions = await Promise.all(kinds.map(async (windows) => await limiter.admit('a', windows)))
  expect(admissions.map(({ isAdmitted, states }) => [isAdmitted, ...states.map(({ used }) => used)])).toEqual([
    [true, 1],
    [true, 2],
    [true, 1, 3],
    [true, 2, 4],
    [false, 4],
    [true, 5],
  ])
})

it('a failover limiter answers a request after 250 ms when the store does not respond, and the next one at once', async () => {
  const { store, set } = createStore()
  const { limiter } = await openProcess(store)
  set('hangs')
  const admitted = vi.fn<(admission: Admission) => void>()
  const first = Promise.resolve(limiter.admit('a', [rate])).then(admitted)
  await vi.advanceTimersByTimeAsync(249)
  expect(admitted).not.toHaveBeenCalled()
  await elapse(1, first)
  expect(admitted).toHaveBeenCalledTimes(1)
  expect(await limiter.admit('a', [rate])).toMatchObject({ isAdmitted: true })
})

it('requests that wait behind one without a response are answered with it, and counted once', async () => {
  const { store, set, used, calls } = createStore()
  const { limiter } = await openProcess(store)
  set('hangs')
  const before = calls.admit
  expect(await elapse(250, admitMany(limiter, 120))).toBe(100)
  expect(calls.admit - before).toBe(1)
  set('works')
  await vi.advanceTimersByTimeAsync(returnMs)
  await admitMany(limiter, 1)
  expect(used()).toBe(100)
})

it('a failover limiter finds by a probe that an idle store hangs, within two seconds', async () => {
  const { store, set } = createStore()
  const { limiter, log } = await openProcess(store)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(log).toEqual([])
  set('hangs')
  await vi.advanceTimersByTimeAsync(2000)
  expect(limiter.state()).toBe('unavailable')
  expect(log).toEqual([unavailable])
})

it('a failover limiter stops probing when it is closed, and continues to answer', async () => {
  const { store, calls } = createStore()
  const { limiter, log } = await openProcess(store)
  await limiter.close()
  const before = calls.admit
  await vi.advanceTimersByTimeAsync(10_000)
  expect(calls.admit).toBe(before)
  expect(vi.getTimerCount()).toBe(0)
  expect(await limiter.admit('a', [rate])).toMatchObject({ isAdmitted: true })
  expect(log).toEqual([])
})

it('an idle store that responds to a probe within a second stays available', async () => {
  const { store, set } = createStore()
  const { limiter, log } = await openProcess(store)
  await vi.advanceTimersByTimeAsync(990)
  set('hangs')
  await vi.advanceTimersByTimeAsync(900)
  set('works')
  await vi.advanceTimersByTimeAsync(2000)
  expect(limiter.state()).toBe('shared')
  expect(log).toEqual([])
})

it('a failover limiter replaces the connection of an unavailable store that does not respond, and of no other', async () => {
  const { store, calls, set } = createStore()
  await openProcess(store)
  set('hangs')
  await vi.advanceTimersByTimeAsync(2000)
  expect(calls.reconnect).toBe(0)
  await vi.advanceTimersByTimeAsync(750)
  expect(calls.reconnect).toBe(1)
})

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
