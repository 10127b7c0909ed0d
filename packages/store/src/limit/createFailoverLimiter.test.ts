import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { admitMany, createStore, elapse, openProcess, rate, returnMs, unavailable } from '../../testing/openProcess.ts'
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
