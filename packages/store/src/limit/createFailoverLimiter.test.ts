import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CountingStore } from './CountingStore.ts'
import { createFailoverLimiter } from './createFailoverLimiter.ts'
import { createTestServer } from './createTestServer.ts'
import type { Admission, Limiter } from './Limiter.ts'

const rate = { name: 'rate', limit: 100, lengthMs: 600_000 }
const unavailable = 'Test store is unavailable: each process admits its share of the remaining calls'
const available = 'Test store is available again: limits are shared'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

describe('a failover limiter', () => {
  it('a failover limiter counts in the store, so that two processes share one limit', async () => {
    const { store } = createStore()
    const [one, other] = [await open(store), await open(store)]
    expect(await admitMany(one.limiter, 60)).toBe(60)
    expect(await admitMany(other.limiter, 60)).toBe(40)
    expect(other.limiter.read('a', rate).used).toBe(100)
    expect([one.limiter.state(), other.limiter.state()]).toEqual(['shared', 'shared'])
  })

  it('a failover limiter refuses a request for a window that is known to be full without a call to the store', async () => {
    const { store, calls } = createStore()
    const { limiter } = await open(store)
    await admitMany(limiter, 100)
    const before = calls.admit
    expect(await admitMany(limiter, 10)).toBe(0)
    expect(calls.admit).toBe(before)
  })

  it.each(['fails', 'hangs'] as const)(
    'a failover limiter continues from the known counts while the store %s',
    async (fault) => {
      const { store, set } = createStore()
      const { limiter, log } = await open(store)
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
    const { limiter } = await open(store)
    set('hangs')
    const admitted = vi.fn<(admission: Admission) => void>()
    const first = Promise.resolve(limiter.admit('a', [rate])).then(admitted)
    await vi.advanceTimersByTimeAsync(249)
    expect(admitted).not.toHaveBeenCalled()
    await elapse(1, first)
    expect(admitted).toHaveBeenCalledTimes(1)
    expect(await limiter.admit('a', [rate])).toMatchObject({ isAdmitted: true })
  })

  it('requests that wait behind one without a response are answered with it, and synced once', async () => {
    const { store, set, used, calls } = createStore()
    const { limiter } = await open(store)
    set('hangs')
    const before = calls.admit
    expect(await elapse(250, admitMany(limiter, 120))).toBe(100)
    expect(calls.admit - before).toBe(1)
    set('works')
    await vi.advanceTimersByTimeAsync(500)
    await admitMany(limiter, 1)
    expect(used()).toBe(100)
  })

  it('a failover limiter adds the calls admitted during an outage to the count of the store, once', async () => {
    const { store, set, used } = createStore()
    const [one, other] = [await open(store), await open(store)]
    await admitMany(one.limiter, 10)
    await admitMany(other.limiter, 10)
    set('fails')
    await admitMany(one.limiter, 20)
    await admitMany(other.limiter, 30)
    set('works')
    await vi.advanceTimersByTimeAsync(500)
    expect([one.limiter.state(), other.limiter.state()]).toEqual(['shared', 'shared'])
    expect(one.log).toEqual([unavailable, available])
    await admitMany(one.limiter, 1)
    await admitMany(other.limiter, 1)
    expect(used()).toBe(72)
    await admitMany(one.limiter, 1)
    await admitMany(other.limiter, 1)
    expect(used()).toBe(74)
  })

  it('a failover limiter keeps the calls of an outage when the request that would sync them fails, too', async () => {
    const { store, set, used } = createStore()
    const { limiter } = await open(store)
    set('fails')
    await admitMany(limiter, 20)
    set('works')
    await vi.advanceTimersByTimeAsync(500)
    set('fails')
    await admitMany(limiter, 1)
    set('works')
    await vi.advanceTimersByTimeAsync(500)
    await admitMany(limiter, 1)
    expect(used()).toBe(22)
  })

  it('calls of an outage whose sync fails are added to the calls of others by the next one', async () => {
    const { store, set, used } = createStore()
    const [one, other] = [await open(store), await open(store)]
    await admitMany(other.limiter, 30)
    set('fails')
    await admitMany(one.limiter, 20)
    set('works')
    await vi.advanceTimersByTimeAsync(500)
    set('fails')
    await admitMany(one.limiter, 1)
    set('works')
    await vi.advanceTimersByTimeAsync(500)
    await admitMany(one.limiter, 1)
    expect(used()).toBe(52)
  })

  it('calls of an outage are added to all of their windows, by requests that are for one window each', async () => {
    const { store, set } = createStore()
    const [one, other] = [await open(store), await open(store)]
    const quota = { ...rate, name: 'quota' }
    await other.limiter.admit('a', [rate, quota], 30)
    set('fails')
    await one.limiter.admit('a', [rate, quota], 20)
    set('works')
    await vi.advanceTimersByTimeAsync(500)
    for (const window of [rate, quota]) {
      expect((await one.limiter.admit('a', [window])).states[0]?.used).toBe(51)
    }
  })

  it('a failover limiter counts a call once if the store has counted it without a response in time', async () => {
    const { store, set, used } = createStore()
    const { limiter } = await open(store)
    await admitMany(limiter, 10)
    set('counts')
    await elapse(250, admitMany(limiter, 20))
    set('works')
    await vi.advanceTimersByTimeAsync(500)
    await admitMany(limiter, 1)
    expect(used()).toBe(31)
  })

  it('a failover limiter syncs the calls of an outage once, although the store has counted a sync without a response', async () => {
    const { store, set, used } = createStore()
    const [one, other] = [await open(store), await open(store)]
    await admitMany(other.limiter, 10)
    set('fails')
    await admitMany(one.limiter, 20)
    for (const _ of 'abc') {
      set('works')
      await vi.advanceTimersByTimeAsync(500)
      set('counts')
      await elapse(250, admitMany(one.limiter, 1))
    }
    expect(used()).toBe(33)
    set('works')
    await vi.advanceTimersByTimeAsync(500)
    await admitMany(one.limiter, 1)
    expect(used()).toBe(34)
    expect(await admitMany(other.limiter, 200)).toBe(66)
  })

  it('processes that cannot reach their store together admit the remaining calls and at most one more call each', async () => {
    const { store, set } = createStore()
    const processes = await Promise.all(Array.from({ length: 3 }, () => open(store, () => 3)))
    for (const [index, { limiter }] of processes.entries()) await admitMany(limiter, 10 * index)
    // Each learns of the calls of the others, although one has made none.
    await vi.advanceTimersByTimeAsync(500)
    expect(processes.map(({ limiter }) => limiter.read('a', rate).used)).toEqual([30, 30, 30])
    set('fails')
    const admitted = await Promise.all(processes.map(({ limiter }) => admitMany(limiter, 200)))
    expect(admitted).toEqual([24, 24, 24])
  })

  it('a process that has not learnt of the last calls of others admits no more than its share of those beyond', async () => {
    const { store, set } = createStore()
    const [one, other] = [await open(store, () => 2), await open(store, () => 2)]
    await admitMany(one.limiter, 40)
    set('fails')
    expect(await admitMany(one.limiter, 200)).toBe(30)
    // 100 and 40 / 2.
    expect(await admitMany(other.limiter, 200)).toBe(50)
  })

  it('requests that the store fails to count together are admitted within one share of the process', async () => {
    const { store, set } = createStore()
    const { limiter } = await open(store, () => 2)
    const first = limiter.admit('a', [rate])
    const others = admitMany(limiter, 200)
    set('fails')
    await first
    // 49 or 50 beside the first call, which the store may have counted.
    expect([49, 50]).toContain(await others)
  })

  it('a process that learns of a full window refuses without a call to the store, and not beyond the end of the window', async () => {
    const { store, calls } = createStore()
    const [one, other] = [await open(store), await open(store)]
    await admitMany(one.limiter, 100)
    await vi.advanceTimersByTimeAsync(500)
    const before = calls.admit
    expect(await admitMany(other.limiter, 10)).toBe(0)
    expect(calls.admit).toBe(before)
    await vi.advanceTimersByTimeAsync(rate.lengthMs - 500)
    expect(await admitMany(other.limiter, 10)).toBe(10)
  })

  it('a process admits its share of a window that begins during an outage, and reports the shares of others as used', async () => {
    const { store, set } = createStore()
    const { limiter } = await open(store, () => 4)
    set('fails')
    const first = await limiter.admit('a', [rate])
    expect(first.states[0]?.used).toBe(76)
    expect(limiter.read('a', rate).used).toBe(76)
    expect(await admitMany(limiter, 100)).toBe(24)
    expect((await limiter.admit('a', [rate])).states[0]?.used).toBe(100)
    expect(limiter.read('a', rate).used).toBe(100)
  })

  it('the share of a process shrinks when others join during an outage, and does not grow when others end', async () => {
    const { store, set } = createStore()
    let processes = 2
    const { limiter } = await open(store, () => processes)
    set('fails')
    await limiter.admit('a', [rate])
    processes = 1
    expect(await admitMany(limiter, 100)).toBe(49)
    processes = 4
    expect(await admitMany(limiter, 100)).toBe(0)
    expect((await limiter.admit('b', [rate])).states[0]?.used).toBe(76)
    set('works')
    await vi.advanceTimersByTimeAsync(500)
    processes = 1
    await admitMany(limiter, 1)
    set('fails')
    expect(await admitMany(limiter, 100)).toBe(49)
  })

  it('a failover limiter syncs a window that is full in this process, so that others learn of it', async () => {
    const { store, set } = createStore()
    const [one, other] = [await open(store), await open(store)]
    set('fails')
    expect(await admitMany(one.limiter, 200)).toBe(100)
    set('works')
    await vi.advanceTimersByTimeAsync(500)
    expect(await admitMany(one.limiter, 1)).toBe(0)
    expect(await admitMany(other.limiter, 1)).toBe(0)
  })

  it('a failover limiter finds by a probe that an idle store hangs, within two seconds', async () => {
    const { store, set } = createStore()
    const { limiter, log } = await open(store)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(log).toEqual([])
    set('hangs')
    await vi.advanceTimersByTimeAsync(2000)
    expect(limiter.state()).toBe('unavailable')
    expect(log).toEqual([unavailable])
  })

  it('an idle store that responds to a probe within a second stays available', async () => {
    const { store, set } = createStore()
    const { limiter, log } = await open(store)
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
    await open(store)
    set('hangs')
    await vi.advanceTimersByTimeAsync(2000)
    expect(calls.reconnect).toBe(0)
    await vi.advanceTimersByTimeAsync(750)
    expect(calls.reconnect).toBe(1)
  })

  it('a failover limiter starts while the store is unreachable, and shares limits once it is reachable', async () => {
    const { store, set } = createStore()
    set('hangs')
    const { limiter, log } = await elapse(250, open(store))
    expect(limiter.state()).toBe('unavailable')
    set('works')
    await vi.advanceTimersByTimeAsync(500)
    expect(limiter.state()).toBe('shared')
    expect(log).toEqual([unavailable, available])
  })

  it('a failover limiter stops probing when it is closed, and continues to answer', async () => {
    const { store, calls } = createStore()
    const { limiter, log } = await open(store)
    await limiter.close()
    const before = calls.admit
    await vi.advanceTimersByTimeAsync(10_000)
    expect(calls.admit).toBe(before)
    expect(vi.getTimerCount()).toBe(0)
    expect(await limiter.admit('a', [rate])).toMatchObject({ isAdmitted: true })
    expect(log).toEqual([])
  })
})

/** Creates a server that counts in memory, and the store of each process that is opened. */
function createStore() {
  const { createStore: store, received: calls, set, used } = createTestServer()
  return { store, calls, set, used: () => used('a', rate) }
}

async function open(connect: () => CountingStore, countProcesses?: () => number) {
  const messages: string[] = []
  const write = (_: object, message: string) => void messages.push(message)
  const log = { info: write, error: write }
  return { limiter: await createFailoverLimiter(connect(), { log, countProcesses }), log: messages }
}

async function admitMany(limiter: Limiter, requests: number): Promise<number> {
  const admissions = await Promise.all(Array.from({ length: requests }, async () => limiter.admit('a', [rate])))
  return admissions.filter(({ isAdmitted }) => isAdmitted).length
}

/** Advances the time, and returns what a promise resolves to meanwhile. */
async function elapse<Value>(ms: number, promise: Promise<Value>): Promise<Value> {
  await vi.advanceTimersByTimeAsync(ms)
  return await promise
}
