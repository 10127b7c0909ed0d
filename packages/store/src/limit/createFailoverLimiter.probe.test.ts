import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { available, createStore, elapse, openProcess, rate, returnMs, unavailable } from '../../testing/openProcess.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

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

it('a failover limiter starts while the store is unreachable, and shares limits once it is reachable', async () => {
  const { store, set } = createStore()
  set('hangs')
  const { limiter, log } = await elapse(250, openProcess(store))
  expect(limiter.state()).toBe('unavailable')
  set('works')
  await vi.advanceTimersByTimeAsync(returnMs)
  expect(limiter.state()).toBe('shared')
  expect(log).toEqual([unavailable, available])
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
