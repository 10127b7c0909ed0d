import { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { openLimiter, type Limiter, type Window } from '@agio/store'
import { createClient } from '@redis/client'
import { expect, it, vi, type ExpectStatic } from 'vitest'
import { eventually, redisRetries } from '../harness/timeLimits.ts'
import { describeWith } from '../harness/findServices.ts'
import { startRedis, type TestRedis } from '../harness/startRedis.ts'
import { createTestLog, type TestLog } from './createTestLog.ts'

// On a busy machine Redis may get no time to run for longer than a request waits by default.
const responseTimeoutMs = 1500

const rate: Window = { name: 'rate', limit: 100, lengthMs: 600_000 }

type Opened = AsyncDisposable & { readonly limiter: Limiter; readonly log: TestLog }

const opened: TestLog[] = []
// On a busy machine Redis may get no time to run. The limiter is right to count locally then, which other tests prove.
const retry = { count: redisRetries, condition: () => opened.splice(0).some((log) => log.errors().length > 0) }

async function open(url: string, processes = 1): Promise<Opened> {
  const log = createTestLog()
  opened.push(log)
  const limiter = await openLimiter({ redisUrl: url, log, countProcesses: () => processes, responseTimeoutMs })
  return { limiter, log, [Symbol.asyncDispose]: () => limiter.close() }
}

async function admitMany(limiter: Limiter, subject: string, requests: number): Promise<number> {
  const admissions = await Promise.all(Array.from({ length: requests }, async () => limiter.admit(subject, [rate])))
  return admissions.filter(({ isAdmitted }) => isAdmitted).length
}

/** Counts the requests for admission that a Redis has received: each reads when its window ends, and nothing else does. */
async function countAdmissions({ url }: TestRedis) {
  const client = await createClient({ url }).connect()
  return {
    count: async () => Number(/cmdstat_pttl:calls=(\d+)/.exec(await client.info('commandstats'))?.[1] ?? 0),
    [Symbol.asyncDispose]: async () => client.destroy(),
  }
}

const isUnavailable = 'Redis is unavailable: each process admits its share of the remaining calls'
const faults = {
  stops: { begin: (redis: TestRedis) => redis.stop(), end: (redis: TestRedis) => redis.start() },
  hangs: { begin: async (redis: TestRedis) => redis.pause(), end: async (redis: TestRedis) => redis.resume() },
}

const describeRedis = await describeWith(
  ['Redis binary'],
  'limits that processes share, and a Redis that stops or hangs',
)

describeRedis('limits that processes share', () => {
  it('two processes on one Redis together admit exactly the limit', { retry }, async () => {
    await using redis = await startRedis()
    await using one = await open(redis.url)
    await using other = await open(redis.url)
    for (const subject of ['a', 'b', 'c']) {
      const both = [admitMany(one.limiter, subject, 400), admitMany(other.limiter, subject, 400)]
      const [here = 0, there = 0] = await Promise.all(both)
      expect(here + there).toBe(100)
      expect(one.limiter.getWindowState(subject, rate).used).toBe(rate.limit)
      expect(other.limiter.getWindowState(subject, rate).used).toBe(rate.limit)
    }
  })

  it(
    'two processes on one Redis together hold exactly the limit, and what one releases the other may hold',
    { retry },
    async () => {
      await using redis = await startRedis()
      await using one = await open(redis.url)
      await using other = await open(redis.url)
      const holds = await Promise.all(
        Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? one : other).limiter.hold('streams:a', 10)),
      )
      const held = holds.filter((release) => release !== undefined)
      expect(held).toHaveLength(10)
      expect(await one.limiter.hold('streams:b', 1)).toBeDefined()
      held[0]?.()
      held[0]?.()
      await expect.poll(async () => (await other.limiter.hold('streams:a', 10)) !== undefined).toBe(true)
      expect(await one.limiter.hold('streams:a', 10)).toBeUndefined()
    },
  )

  it(
    'while Redis is unavailable each process holds its share, and what a killed process held is released in time',
    { retry },
    async () => {
      await using redis = await startRedis()
      await using one = await open(redis.url, 2)
      await one.limiter.hold('streams:a', 10)
      const client = await createClient({ url: redis.url }).connect()
      expect(await client.pTTL('agio:{streams:a}:held')).toBeGreaterThan(20_000)
      expect(await client.pTTL('agio:{streams:a}:held')).toBeLessThanOrEqual(30_000)
      client.destroy()
      await redis.stop()
      const holds = await Promise.all(Array.from({ length: 10 }, () => one.limiter.hold('streams:b', 10)))
      expect(holds.filter((release) => release !== undefined)).toHaveLength(5)
      await redis.start()
    },
  )

  it('a window that is known to be full refuses without a request to Redis', { retry }, async () => {
    await using redis = await startRedis()
    await using one = await open(redis.url)
    await using requests = await countAdmissions(redis)
    for (let index = 0; index < 101; index += 1) await one.limiter.admit('a', [rate])
    const before = await requests.count()
    expect(before).toBeGreaterThanOrEqual(100)
    expect(await admitMany(one.limiter, 'a', 1000)).toBe(0)
    expect(await requests.count()).toBe(before)
  })

  it(
    'concurrent requests of a subject take two requests to Redis, and each is told its own count',
    { retry },
    async () => {
      await using redis = await startRedis()
      await using one = await open(redis.url)
      await using requests = await countAdmissions(redis)
      const before = await requests.count()
      const costs = Array.from({ length: 60 }, (_, index) => (index % 3) + 1)
      const admissions = await Promise.all(costs.map(async (cost) => one.limiter.admit('a', [rate], cost)))
      // One more if the store is probed in the meantime.
      expect((await requests.count()) - before).toBeLessThanOrEqual(3)
      let used = 0
      for (const [index, { isAdmitted, states }] of admissions.entries()) {
        const cost = costs[index] as number
        expect(isAdmitted).toBe(used + cost <= rate.limit)
        if (isAdmitted) used += cost
        expect(states.map((state) => state.used)).toEqual([used])
      }
      expect(used).toBe(rate.limit)
    },
  )

  it('a process whose event loop is blocked for a moment keeps using Redis', { retry }, async () => {
    await using redis = await startRedis()
    await using one = await open(redis.url)
    await one.limiter.admit('a', [rate])
    redis.pause()
    const redisPort = Number(new URL(redis.url).port)
    using written = vi.spyOn(Socket.prototype, 'write')
    const requested = one.limiter.admit('a', [rate])
    // Redis answers the request while this event loop is blocked for longer than the time limit.
    const isSent = () => written.mock.contexts.some((socket) => (socket as Socket).remotePort === redisPort)
    await vi.waitUntil(isSent, { interval: 1 })
    redis.resume()
    const untilMs = performance.now() + responseTimeoutMs + 150
    while (performance.now() < untilMs);
    expect((await requested).states[0]?.used).toBe(2)
    expect(one.limiter.state()).toBe('shared')
    expect(one.log.entries).toEqual([])
  })

  it.each(['stops', 'hangs', 'works'] as const)(
    'closing a limiter leaves no socket open while Redis %s',
    async (fault) => {
      await using redis = await startRedis()
      const countSockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
      const socketsBefore = countSockets()
      const { limiter, log } = await open(redis.url)
      await limiter.admit('a', [rate])
      if (fault !== 'works') await faults[fault].begin(redis)
      const requested = Array.from({ length: 50 }, async () => limiter.admit('a', [rate]))
      await limiter.close()
      // Every request in flight is answered.
      for (const { isAdmitted } of await Promise.all(requested)) expect(isAdmitted).toBe(true)
      // Sockets of earlier test files may close meanwhile.
      await expect.poll(countSockets, eventually).toBeLessThanOrEqual(socketsBefore)
      expect(log.errors().filter((message) => message !== isUnavailable)).toEqual([])
      await limiter.close()
    },
  )
})

describeRedis.concurrent('a Redis that stops or hangs', () => {
  it.for(['stops', 'hangs'] as const)(
    'while Redis %s, the limiter answers every request, and counts on from what it knows',
    async (fault, { expect }) => {
      await using redis = await startRedis()
      await using one = await open(redis.url)
      const { limiter, log } = one
      await admitMany(limiter, 'full', 150)
      await admitMany(limiter, 'some', 60)

      // Each of these makes one request after the other.
      const answered = Array.from({ length: 20 }, () => 0)
      const loaded = new AbortController()
      async function load(index: number): Promise<void> {
        while (!loaded.signal.aborted) {
          await limiter.admit(`load ${index}`, [{ ...rate, limit: 1_000_000 }])
          answered[index] = (answered[index] ?? 0) + 1
          await wait(1)
        }
      }
      const loads = answered.map(async (_, index) => load(index))
      await faults[fault].begin(redis)
      await expect.poll(() => limiter.state(), eventually).toBe('unavailable')
      // Redis does not respond until the end of the fault, and no request waits for it.
      const before = [...answered]
      const haveAllGoneOn = () => answered.every((count, index) => count > (before[index] ?? 0) + 5)
      await expect.poll(haveAllGoneOn, eventually).toBe(true)
      expect(await admitMany(limiter, 'full', 50)).toBe(0)
      expect(await admitMany(limiter, 'some', 80)).toBe(40)
      expect(await admitMany(limiter, 'new', 150)).toBe(100)

      await faults[fault].end(redis)
      await expect.poll(() => limiter.state(), eventually).toBe('shared')
      loaded.abort()
      await Promise.all(loads)
      expect(log.errors()).toEqual([isUnavailable])
      expect(log.entries.map(({ level }) => level)).toEqual(['error', 'info'])
      for (const subject of ['full', 'some', 'new']) expect(await admitMany(limiter, subject, 50), subject).toBe(0)
    },
  )

  it.for(['stops', 'hangs'] as const)(
    'calls that were admitted while Redis %s count for all processes once it is back',
    async (fault, { expect, signal }) => {
      let run = await admitAround(fault, expect)
      // On a busy machine Redis may seem unavailable once more, which other tests prove.
      while (run.isDisturbed && !signal.aborted) run = await admitAround(fault, expect)
      // The window began before the fault.
      expect(run.outcome).toEqual({ withoutRedis: [20, 10], afterwards: 20, used: 100, isSameWindow: true })
    },
  )

  it.for(['stops', 'hangs'] as const)(
    'while Redis %s, three processes together admit the remaining calls of a window and at most one more each',
    async (fault, { expect, signal }) => {
      let admitted = await admitByThree(fault, expect)
      // On a busy machine Redis may seem unavailable before the fault, which other tests prove.
      while (!admitted && !signal.aborted) admitted = await admitByThree(fault, expect)
      for (const [subject, left] of [
        ['a', 70],
        ['new', 100],
      ] as const) {
        expect(admitted?.[subject], subject).toBeGreaterThanOrEqual(left)
        expect(admitted?.[subject], subject).toBeLessThanOrEqual(left + 3)
      }
    },
  )

  it.for(['stops', 'hangs'] as const)(
    'a Redis that %s before the limiter starts is used once it answers',
    async (fault, { expect }) => {
      await using redis = await startRedis()
      await faults[fault].begin(redis)
      await using one = await open(redis.url)
      expect(one.limiter.state()).toBe('unavailable')
      expect(await admitMany(one.limiter, 'a', 60)).toBe(60)
      await faults[fault].end(redis)
      await expect.poll(() => one.limiter.state(), eventually).toBe('shared')
      await using other = await open(redis.url)
      await one.limiter.admit('a', [rate])
      expect(await admitMany(other.limiter, 'a', 100)).toBe(39)
      expect(one.log.errors()).toEqual([isUnavailable])
    },
  )

  it('no log and no error holds the password of Redis, whether it is right, wrong, or part of an invalid URL', async ({
    expect,
  }) => {
    await using redis = await startRedis('--requirepass', 'hunter2')
    const right = redis.url.replace('//', '//:hunter2@')
    await using one = await open(right)
    expect(one.limiter.state()).toBe('shared')
    await redis.stop()
    await expect.poll(() => one.limiter.state(), eventually).toBe('unavailable')
    await redis.start()
    await expect.poll(() => one.limiter.state(), eventually).toBe('shared')
    await using two = await open(right.replace('hunter2', 'hunter3'))
    expect(two.limiter.state()).toBe('unavailable')
    expect(await admitMany(two.limiter, 'a', 150)).toBe(100)
    for (const { log } of [one, two]) {
      expect(log.errors()).toEqual([isUnavailable])
      expect(log.dump()).not.toMatch(/hunter|redis:\/\//)
    }
    for (const url of ['redis://:hunter2@127.0.0.1:port', 'http://:hunter2@127.0.0.1', ':hunter2@127.0.0.1']) {
      const log = createTestLog()
      const failed = openLimiter({ redisUrl: url, log })
      await expect(failed, url).rejects.toThrow(/^Cannot share limits: REDIS_URL is not a Redis URL$/)
      const shown = createTestLog()
      shown.error({ err: await failed.catch((error: unknown) => error) }, '')
      expect(shown.dump()).not.toContain('hunter2')
    }
  })
})

/** Two processes admit fifty calls of a hundred by Redis, thirty without it, and the rest once it is back. */
async function admitAround(fault: keyof typeof faults, expect: ExpectStatic) {
  await using redis = await startRedis()
  await using one = await open(redis.url)
  await using other = await open(redis.url)
  await admitMany(other.limiter, 'a', 20)
  await admitMany(one.limiter, 'a', 30)
  const before = (await one.limiter.admit('a', [rate], 1000)).states[0]
  // A process to which Redis seemed unavailable may not know the calls of the other one, which a restart of Redis forgets.
  const isDisturbedBefore = [one, other].some(({ log }) => log.errors().length > 0)
  await faults[fault].begin(redis)
  for (const { limiter } of [one, other]) {
    await limiter.admit('b', [rate])
    await expect.poll(() => limiter.state(), eventually).toBe('unavailable')
  }
  const withoutRedis = await Promise.all([admitMany(one.limiter, 'a', 20), admitMany(other.limiter, 'a', 10)])
  await faults[fault].end(redis)
  for (const { limiter } of [one, other]) await expect.poll(() => limiter.state(), eventually).toBe('shared')
  // Each reports its local calls with its first request.
  let afterwards = 0
  for (const requests of [1, 200]) {
    afterwards += await admitMany(one.limiter, 'a', requests)
    afterwards += await admitMany(other.limiter, 'a', requests)
  }
  const after = (await other.limiter.admit('a', [rate])).states[0]
  const isSameWindow = (after?.endsInMs ?? Infinity) < (before?.endsInMs ?? 0)
  const isDisturbed = isDisturbedBefore || [one, other].some(({ log }) => log.errors().length > 1)
  return { outcome: { withoutRedis, afterwards, used: after?.used, isSameWindow }, isDisturbed }
}

/**
 * Three processes share a Redis, in which one of them has counted 30 calls of `a`, and admit more without it.
 *
 * @returns the calls that they admitted during the fault, or undefined if Redis seemed unavailable before it
 */
async function admitByThree(fault: keyof typeof faults, expect: ExpectStatic) {
  await using redis = await startRedis()
  await using one = await open(redis.url, 3)
  await using two = await open(redis.url, 3)
  await using three = await open(redis.url, 3)
  const limiters = [one, two, three].map(({ limiter }) => limiter)
  const isDisturbed = () => [one, two, three].some(({ log }) => log.errors().length > 0)
  expect(await admitMany(one.limiter, 'a', 30)).toBe(30)
  // The others learn of these calls, although they have made none.
  const isKnown = () => limiters.every((limiter) => limiter.getWindowState('a', rate).used === 30)
  await expect.poll(() => isKnown() || isDisturbed(), eventually).toBe(true)
  if (isDisturbed()) return undefined
  await faults[fault].begin(redis)
  for (const limiter of limiters) await limiter.admit('b', [rate])
  await expect.poll(() => limiters.map((limiter) => limiter.state()), eventually).toEqual(Array(3).fill('unavailable'))
  const count = async (subject: string) => {
    const admitted = await Promise.all(limiters.map((limiter) => admitMany(limiter, subject, 200)))
    return admitted.reduce((sum, calls) => sum + calls, 0)
  }
  const admitted = { a: await count('a'), new: await count('new') }
  await faults[fault].end(redis)
  await expect.poll(() => limiters.map((limiter) => limiter.state()), eventually).toEqual(Array(3).fill('shared'))
  for (const limiter of limiters) await admitMany(limiter, 'a', 1)
  for (const limiter of limiters) expect(await admitMany(limiter, 'a', 50)).toBe(0)
  return admitted
}
