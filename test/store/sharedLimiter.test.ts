import { openLimiter, type Limiter, type Window } from '@agio/store'
import { createClient } from '@redis/client'
import { expect, it } from 'vitest'
import { describeWith } from '../harness/findServices.ts'
import { startRedis, type TestRedis } from '../harness/startRedis.ts'
import { eventually } from '../harness/timeLimits.ts'
import { createTestLog, type TestLog } from './createTestLog.ts'

const describeRedis = await describeWith(['Redis binary'], 'limits that processes share in Redis')

const rate: Window = { name: 'rate', limit: 100, lengthMs: 600_000 }
const isUnavailable = 'Redis is unavailable: each process admits its share of the remaining calls'

/** How long a limiter waits for a Redis that works. Redis may get no time to run on a busy machine. */
const patientMs = 60_000
/** How long it waits for a Redis that hangs. */
const impatientMs = 1500

type Opened = AsyncDisposable & { readonly limiter: Limiter; readonly log: TestLog }

/** Opens the limiter of one process on a Redis, with its log. */
async function open(url: string, { processes = 1, responseTimeoutMs = patientMs } = {}): Promise<Opened> {
  const log = createTestLog()
  const limiter = await openLimiter({ redisUrl: url, log, countProcesses: () => processes, responseTimeoutMs })
  return { limiter, log, [Symbol.asyncDispose]: () => limiter.close() }
}

/** Requests admission many times at once, and returns how many requests were admitted. */
async function admitMany(limiter: Limiter, requests: number): Promise<number> {
  const admissions = await Promise.all(Array.from({ length: requests }, async () => limiter.admit('a', [rate])))
  return admissions.filter(({ isAdmitted }) => isAdmitted).length
}

const untilState = async (opened: readonly Opened[], state: ReturnType<Limiter['state']>) =>
  await expect.poll(() => opened.map(({ limiter }) => limiter.state()), eventually).toEqual(opened.map(() => state))

/** The faults of a Redis: how each begins and ends. */
const faults = {
  stops: { begin: (redis: TestRedis) => redis.stop(), end: (redis: TestRedis) => redis.start() },
  hangs: { begin: async (redis: TestRedis) => redis.pause(), end: async (redis: TestRedis) => redis.resume() },
}

describeRedis('limits that processes share in Redis', () => {
  it('two processes on one Redis together hold exactly the limit, and what one releases the other may hold', async () => {
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
  })

  it('while Redis is unavailable each process holds its share, and what a killed process held is released in time', async () => {
    await using redis = await startRedis()
    await using one = await open(redis.url, { processes: 2 })
    const client = await createClient({ url: redis.url }).connect()
    await one.limiter.hold('streams:a', 10)
    const heldMs = await client.pTTL('agio:{streams:a}:held')
    expect(heldMs).toBeGreaterThan(0)
    expect(heldMs).toBeLessThanOrEqual(30_000)
    client.destroy()
    await redis.stop()
    const holds = await Promise.all(Array.from({ length: 10 }, () => one.limiter.hold('streams:b', 10)))
    expect(holds.filter((release) => release !== undefined)).toHaveLength(5)
  })

  it.each(['stops', 'hangs'] as const)(
    'a Redis that %s before the limiter starts is used once it answers',
    async (fault) => {
      await using redis = await startRedis()
      await faults[fault].begin(redis)
      await using one = await open(redis.url, { responseTimeoutMs: impatientMs })
      expect(one.limiter.state()).toBe('unavailable')
      expect(await admitMany(one.limiter, 60)).toBe(60)
      await faults[fault].end(redis)
      await untilState([one], 'shared')
      await using other = await open(redis.url)
      await one.limiter.admit('a', [rate])
      expect(await admitMany(other.limiter, 100)).toBe(39)
    },
  )

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

  it('no log and no error holds the password of Redis, whether it is right, wrong, or part of an invalid URL', async () => {
    await using redis = await startRedis('--requirepass', 'hunter2')
    const right = redis.url.replace('//', '//:hunter2@')
    await using one = await open(right)
    await redis.stop()
    await untilState([one], 'unavailable')
    await redis.start()
    await untilState([one], 'shared')
    await using two = await open(right.replace('hunter2', 'hunter3'), { responseTimeoutMs: impatientMs })
    expect(two.limiter.state()).toBe('unavailable')
    expect(await admitMany(two.limiter, 150)).toBe(100)
    for (const { log } of [one, two]) {
      expect(log.errors()).toContain(isUnavailable)
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
