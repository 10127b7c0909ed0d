import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { elapse, openProcess } from '../../testing/openProcess.ts'
import { createTestServer } from '../../testing/createTestServer.ts'
import type { Admission, Limiter } from './Limiter.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const large = { name: 'large', limit: 20_000, lengthMs: 600_000 }
const second = { name: 'burst', limit: 10_000, lengthMs: 1000 }
const small = { name: 'small', limit: 9999, lengthMs: 600_000 }

/** Sends five requests per millisecond. Returns how many were admitted, and how many of those without a promise. */
async function callFor(limiter: Limiter, windows: Parameters<Limiter['admit']>[1], ms: number) {
  const admissions: (Admission | Promise<Admission>)[] = []
  for (let passed = 0; passed < ms; passed += 1) {
    for (let call = 0; call < 5; call += 1) admissions.push(limiter.admit('a', windows))
    await vi.advanceTimersByTimeAsync(1)
  }
  // A store without a response takes this long.
  const all = await elapse(250, Promise.all(admissions.map(async (admission) => await admission)))
  return {
    admitted: all.filter(({ isAdmitted }) => isAdmitted).length,
    atOnce: admissions.filter((admission) => !(admission instanceof Promise)).length,
  }
}

it('a busy key with large windows is admitted without a request to the store for nearly every call, and each call is counted', async () => {
  const server = createTestServer()
  const { limiter } = await openProcess(server.createStore)
  const { admitted, atOnce } = await callFor(limiter, [large, second], 900)
  expect(admitted).toBe(4500)
  expect(atOnce).toBeGreaterThan(4000)
  expect(server.received.admit).toBeLessThan(200)
  expect(limiter.getWindowState('a', large).used).toBe(4500)
  // The unused calls are returned once the key is idle.
  await vi.advanceTimersByTimeAsync(1000)
  expect(server.used('a', large)).toBe(4500)
})

it('the store counts every call of a key that has a window below 10,000 calls', async () => {
  const server = createTestServer()
  const { limiter } = await openProcess(server.createStore)
  const { atOnce } = await callFor(limiter, [large, small], 200)
  expect(atOnce).toBe(0)
  expect(server.used('a', small)).toBe(1000)
})

it('the store counts every call of a key that calls rarely', async () => {
  const server = createTestServer()
  const { limiter } = await openProcess(server.createStore)
  for (let call = 0; call < 50; call += 1) {
    const admission = limiter.admit('a', [large])
    expect(admission).toBeInstanceOf(Promise)
    await elapse(20, Promise.resolve(admission))
  }
  expect(server.used('a', large)).toBe(50)
})

it('busy processes together admit exactly the limit, never more', async () => {
  const server = createTestServer()
  const processes = await Promise.all(Array.from({ length: 3 }, async () => await openProcess(server.createStore)))
  const calls = processes.map(({ limiter }) => callFor(limiter, [large], 2000))
  const counts = await Promise.all(calls)
  expect(counts.reduce((sum, { admitted }) => sum + admitted, 0)).toBe(large.limit)
  expect(server.used('a', large)).toBe(large.limit)
})

it('a lease ends with its first window, and each window has exactly its limit', async () => {
  const server = createTestServer()
  const { limiter } = await openProcess(server.createStore)
  const windows = [
    { ...large, limit: 100_000 },
    { ...second, lengthMs: 3000 },
  ]
  // 15,000 calls per window of the burst.
  expect((await callFor(limiter, windows, 2750)).admitted).toBe(10_000)
  expect((await callFor(limiter, windows, 2750)).admitted).toBe(10_000)
  await vi.advanceTimersByTimeAsync(1000)
  expect(server.used('a', large)).toBe(20_000)
})

it.each(['fails', 'hangs', 'counts'] as const)(
  'when the store %s, no leased call is used, and none is admitted beyond the limit afterwards',
  async (fault) => {
    const server = createTestServer()
    const { limiter } = await openProcess(server.createStore)
    const before = await callFor(limiter, [large], 500)
    server.set(fault)
    const meanwhile = await callFor(limiter, [large], 1500)
    server.set('works')
    const after = await callFor(limiter, [large], 4000)
    const total = before.admitted + meanwhile.admitted + after.admitted
    expect(total).toBeLessThanOrEqual(large.limit)
    // At most the lease of that moment stays counted.
    expect(total).toBeGreaterThan(large.limit - 2000)
  },
)

it('a store that has lost its counts and leases continues from the calls that were made', async () => {
  const server = createTestServer()
  const { limiter } = await openProcess(server.createStore)
  const before = await callFor(limiter, [large], 500)
  await server.stop()
  await vi.advanceTimersByTimeAsync(100)
  await server.start()
  await vi.advanceTimersByTimeAsync(2000)
  const after = await callFor(limiter, [large], 4500)
  expect(before.admitted + after.admitted).toBe(large.limit)
})

it('a process that closes returns its leases', async () => {
  const server = createTestServer()
  const { limiter } = await openProcess(server.createStore)
  const { admitted } = await callFor(limiter, [large], 333)
  await limiter.close()
  expect(server.used('a', large)).toBe(admitted)
})

it('a request for one window of a lease counts no call twice that was made from the lease', async () => {
  const server = createTestServer()
  const { limiter } = await openProcess(server.createStore)
  const quota = { ...large, name: 'quota' }
  const { admitted } = await callFor(limiter, [large, quota], 333)
  expect(await limiter.admit('a', [quota])).toMatchObject({ isAdmitted: true })
  await limiter.close()
  expect([server.used('a', large), server.used('a', quota)]).toEqual([admitted, admitted + 1])
})

it('requests with further windows are counted by the store beside a lease of the first ones', async () => {
  const server = createTestServer()
  const { limiter } = await openProcess(server.createStore)
  const nodes = { name: 'nodes', limit: 60_000, lengthMs: 600_000 }
  let builds = 0
  for (let passed = 0; passed < 400; passed += 1) {
    const previews = Array.from({ length: 5 }, () => limiter.admit('a', [large, second]))
    const build = passed % 10 === 0 ? limiter.admit('a', [large, second, nodes], [1, 1, 4]) : undefined
    builds += build ? 1 : 0
    await elapse(1, Promise.all([...previews, build]))
  }
  await vi.advanceTimersByTimeAsync(1000)
  expect(server.used('a', large)).toBe(2000 + builds)
  expect(server.used('a', nodes)).toBe(4 * builds)
  expect(server.received.admit).toBeLessThan(150)
})
