import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { admitMany, createStore, elapse, openProcess, rate, returnMs, unavailable } from '../../testing/openProcess.ts'
import type { Admission } from './Limiter.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

it('a failover limiter counts in the store, so that two processes share one limit', async () => {
  const { store } = createStore()
  const [one, other] = [await openProcess(store), await openProcess(store)]
  expect(await admitMany(one.limiter, 60)).toBe(60)
  expect(await admitMany(other.limiter, 60)).toBe(40)
  expect(other.limiter.getWindowState('a', rate).used).toBe(100)
  expect([one.limiter.state(), other.limiter.state()]).toEqual(['shared', 'shared'])
})

it('a failover limiter refuses a request for a window that is known to be full without a call to the store', async () => {
  const { store, calls } = createStore()
  const { limiter } = await openProcess(store)
  await admitMany(limiter, 100)
  const before = calls.admit
  expect(await admitMany(limiter, 10)).toBe(0)
  expect(calls.admit).toBe(before)
})

it.each(['fails', 'hangs'] as const)(
  'a failover limiter continues from the known counts while the store %s',
  async (fault) => {
    const { store, set } = createStore()
    const { limiter, log } = await openProcess(store)
    await admitMany(limiter, 60)
    set(fault)
    expect(await elapse(250, admitMany(limiter, 60))).toBe(40)
    expect(limiter.state()).toBe('unavailable')
    expect(await admitMany(limiter, 10)).toBe(0)
    expect(log).toEqual([unavailable])
  },
)

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
