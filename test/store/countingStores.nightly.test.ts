import { setTimeout as wait } from 'node:timers/promises'
import { createRedisStore, type CountingStore } from '@agio/store/testing'
import { createClient } from '@redis/client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeWith } from '../harness/findServices.ts'
import { startRedis, type TestRedis } from '../harness/startRedis.ts'
import { eventually } from '../harness/timeLimits.ts'

const minuteMs = 60_000

/** The windows that the tests fill. */
const rate = { name: 'rate', limit: 10, lengthMs: minuteMs, knownUsed: 0 }
const burst = { name: 'burst', limit: 3, lengthMs: minuteMs / 2, knownUsed: 0 }

/** The only place of a subject. */
const hold = { subject: 'a', member: '1', limit: 1, ttlMs: minuteMs }

const describeRedis = await describeWith(['Redis binary'], 'counts that processes share in Redis')

describeRedis('a store of counts in Redis', () => {
  let server: TestRedis
  // The stores of two processes.
  let one: Numbered
  let other: Numbered
  beforeEach(async () => {
    server = await startRedis()
    ;[one, other] = [await open(server), await open(server)]
  })
  afterEach(async () => {
    for (const { store } of [one, other]) store.close()
    await server[Symbol.asyncDispose]()
  })

  it('each connection loads the scripts first, so that no request is sent twice', async () => {
    for (const isRestarted of [false, true]) {
      if (isRestarted) {
        await server.stop()
        await server.start()
      }
      await admitOnceOpen(one)
      await one.store.hold(hold)
      expect(await readCommands(server.url)).toEqual(['evalsha', 'script|load'])
    }
  })

  it('a request is counted in all of its windows, and each reports its use and its end', async () => {
    const [first] = await one.admit({ windows: [rate, burst] })
    await wait(20)
    const [second] = await one.admit({ windows: [burst, rate] })
    expect([first, second].map((each) => each?.states.map(({ used }) => used))).toEqual([
      [1, 1],
      [2, 2],
    ])
    const [ends = [], laterEnds = []] = [first, second].map((each) => each?.states.map(({ endsInMs }) => endsInMs))
    expect(ends.map(Math.round)).toEqual([minuteMs, minuteMs / 2])
    expect(laterEnds[0]).toBeLessThan(minuteMs / 2)
    expect(laterEnds[1]).toBeLessThan(minuteMs)
  })

  it('a request that one window refuses is counted in no window, and begins no window', async () => {
    expect(await one.admit({ windows: [rate, burst], costs: [4] })).toMatchObject([
      { isAdmitted: false, states: [{ used: 0, endsInMs: minuteMs }, { used: 0 }] },
    ])
    expect(toUsed(await one.admit({ windows: [burst], costs: [3] }))).toEqual([[3]])
    expect(toUsed(await one.admit({ windows: [rate, burst] }))).toEqual([[0, 3]])
    expect(toUsed(await one.admit({ windows: [rate] }))).toEqual([[1]])
  })

  it('the requests of a group are admitted in turn, and a refused one leaves room for a smaller one after it', async () => {
    const admissions = await one.admit({ costs: [6, 5, 3, 2, 1] })
    expect(admissions.map(({ isAdmitted }) => isAdmitted)).toEqual([true, false, true, false, true])
    expect(toUsed(admissions)).toEqual([[6], [6], [9], [9], [10]])
  })

  it('processes and their concurrent requests together are admitted exactly up to the limit of each subject', async () => {
    for (const subject of ['a', 'b']) {
      const requests = Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? one : other).admit({ subject }))
      const admissions = (await Promise.all(requests)).flat()
      expect(admissions.filter(({ isAdmitted }) => isAdmitted)).toHaveLength(10)
    }
  })

  it('a window ends at its time, and the next one begins with the next request', async () => {
    const windows = [{ ...burst, lengthMs: 300 }]
    expect(toUsed(await one.admit({ windows, costs: [3] }))).toEqual([[3]])
    await expect.poll(async () => toUsed(await one.admit({ windows, costs: [4] })), eventually).toEqual([[0]])
    expect(await one.admit({ windows })).toMatchObject([{ isAdmitted: true, states: [{ used: 1 }] }])
  })

  it('a request that arrives after one with a higher number is rejected and counts nothing', async () => {
    await one.admit({ number: 5 })
    await expect(one.admit({ number: 5 })).rejects.toThrow(Error)
    await expect(one.admit({ number: 4, windows: [rate, burst] })).rejects.toThrow(Error)
    // The numbers of other processes and subjects are apart.
    expect(toUsed(await other.admit({ number: 3, windows: [rate, burst] }))).toEqual([[2, 1]])
    expect(toUsed(await one.admit({ number: 3, subject: 'b' }))).toEqual([[1]])
  })

  it('a server that has lost its counts continues from the counts that a process knows', async () => {
    await one.admit({ costs: [4] })
    await server.stop()
    await server.start()
    const windows = [{ ...rate, knownUsed: 4, lengthMs: 40_000 }]
    expect(toUsed(await admitOnceOpen(one, { windows }))).toEqual([[5]])
    const { used, endsInMs } = (await admitOnceOpen(other))[0]?.states[0] ?? {}
    expect(used).toBe(6)
    expect(endsInMs).toBeLessThan(40_001)
  })

  it('a count continues from what a process knows if it is larger, unless the window of the process is about to end', async () => {
    const [first] = await one.admit()
    const admitKnowing = async (knownUsed: number, lengthMs: number) =>
      await other.admit({ windows: [{ ...rate, lengthMs, knownUsed }] })
    expect(toUsed(await admitKnowing(9, 250))).toEqual([[2]])
    // The process began the window while it could not reach the store.
    const [raised] = await admitKnowing(7, 30_000)
    expect(raised).toMatchObject({ isAdmitted: true, states: [{ used: 8 }] })
    expect(raised?.states[0]?.endsInMs).toBeLessThanOrEqual(first?.states[0]?.endsInMs ?? 0)
    expect(raised?.states[0]?.endsInMs).toBeGreaterThan(30_000)
    expect(toUsed(await admitKnowing(5, minuteMs))).toEqual([[9]])
    expect(toUsed(await one.admit())).toEqual([[10]])
  })

  it('processes together hold as many members of a subject as it may hold, and can hold what another one has released', async () => {
    expect(await one.store.hold(hold)).toBe(true)
    expect(await other.store.hold(hold)).toBe(false)
    expect(await other.store.hold({ ...hold, subject: 'b' })).toBe(true)
    // A process releases only its own members, although members of other processes have the same names.
    await other.store.release(hold)
    expect(await other.store.hold(hold)).toBe(false)
    await one.store.release(hold)
    await one.store.release(hold)
    expect(await other.store.hold(hold)).toBe(true)
  })

  it('a held member is released after its time, unless it is renewed', async () => {
    const shortly = { ...hold, ttlMs: 300 }
    expect(await one.store.hold(shortly)).toBe(true)
    expect(await one.store.hold({ ...shortly, subject: 'b' })).toBe(true)
    expect(await one.store.hold({ ...hold, limit: undefined })).toBe(true)
    await expect.poll(() => other.store.hold({ ...hold, subject: 'b' }), eventually).toBe(true)
    expect(await other.store.hold(hold)).toBe(false)
    // A member whose time was over is held again by its next renewal, also beyond the limit.
    expect(await one.store.hold({ ...hold, subject: 'b', limit: undefined })).toBe(true)
    await other.store.release({ ...hold, subject: 'b' })
    expect(await other.store.hold({ ...hold, subject: 'b' })).toBe(false)
  })

  it('while its connection is not open a store rejects every request at once, and it opens one by itself', async () => {
    await server.stop()
    const errors: unknown[] = []
    const store = createRedisStore(server.url)
    const late = withNumbers(store)
    const connected = store.connect((error) => void errors.push(error))
    await expect.poll(() => errors.length, eventually).toBeGreaterThan(0)
    await expectRejected(late)
    await server.start()
    await connected
    expect(toUsed(await late.admit())).toEqual([[1]])
    const before = errors.length
    await server.stop()
    await expect.poll(() => errors.length, eventually).toBeGreaterThan(before)
    await expectRejected(late)
    await server.start()
    expect(toUsed(await admitOnceOpen(late))).toEqual([[1]])
    store.close()
  })

  it('a server that was suspended executes what it has received, and no request is counted twice', async () => {
    server.pause()
    const late = one.admit({ number: 1, costs: [2] })
    server.resume()
    const windows = [{ ...rate, knownUsed: 2 }]
    expect(toUsed(await one.admit({ number: 2, windows }))).toEqual([[3]])
    expect(toUsed(await late)).toEqual([[2]])
  })

  it('a connection that does not respond is replaced, and the requests on it are rejected', async () => {
    await one.admit()
    server.pause()
    const waiting = Promise.allSettled([one.admit()])
    const reconnected = one.store.reconnect()
    expect(await waiting).toMatchObject([{ status: 'rejected' }])
    await expectRejected(one)
    // The new connection is being opened, and is kept.
    await one.store.reconnect()
    server.resume()
    await reconnected
    // One more if the server has executed the request on the old connection.
    expect([[[2]], [[3]]]).toContainEqual(toUsed(await one.admit()))
  })

  it('closing a store rejects the requests on it, and closing it again is allowed', async () => {
    server.pause()
    const waiting = Promise.allSettled([one.admit()])
    one.store.close()
    expect(await waiting).toMatchObject([{ status: 'rejected' }])
    server.resume()
    one.store.close()
    await expectRejected(one)
  })
})

/** The commands that the server has executed whose names begin as those that execute scripts. */
async function readCommands(url: string): Promise<readonly string[]> {
  const client = await createClient({ url }).connect()
  const text = await client.info('commandstats')
  client.destroy()
  return Array.from(text.matchAll(/^cmdstat_((?:eval|script)[^:]*):/gm), ([, name]) => String(name)).toSorted()
}

type CountingRequest = Parameters<CountingStore['admit']>[0]
type Numbered = ReturnType<typeof withNumbers>

/** Numbers the requests of a store, which are for one call of `a` unless they say otherwise. */
function withNumbers(store: CountingStore) {
  let last = 0
  const admit = async (request: Partial<CountingRequest> = {}) => {
    last += 1
    const { windows = [rate] } = request
    const numbered = { subject: 'a', windows, costs: [1], number: last, ...request }
    return (await store.admit(numbered)).admissions
  }
  return { store, admit }
}

/** Opens the store of one process. */
async function open({ url }: TestRedis): Promise<Numbered> {
  const store = createRedisStore(url)
  await store.connect(() => {})
  return withNumbers(store)
}

/** Requests an admission until the store is open, and returns it. */
async function admitOnceOpen(one: Numbered, request?: Partial<CountingRequest>) {
  const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<Numbered['admit']>>>()
  await expect.poll(async () => await one.admit(request).then(resolve), eventually).toBeUndefined()
  return await promise
}

/** Expects that a store rejects requests, also while its server does not respond. */
async function expectRejected({ store, admit }: Numbered): Promise<void> {
  const requests = [admit(), store.hold(hold), store.release(hold)]
  expect(await Promise.allSettled(requests)).toMatchObject(requests.map(() => ({ status: 'rejected' })))
}

/** Returns the use of each window after each request. */
function toUsed(admissions: Awaited<ReturnType<Numbered['admit']>>): readonly (readonly number[])[] {
  return admissions.map(({ states }) => states.map(({ used }) => used))
}
