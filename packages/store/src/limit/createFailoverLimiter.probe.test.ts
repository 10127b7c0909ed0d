import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createStore, openProcess, unavailable } from '../../testing/openProcess.ts'

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
