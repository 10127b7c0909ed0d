import { Socket } from 'node:net'
import { createClient } from '@redis/client'
import { expect, it, vi } from 'vitest'
import { eventually, redisRetries } from '../harness/timeLimits.ts'
import { startRedis, type TestRedis } from '../harness/startRedis.ts'
import {
  opened,
  describeRedis,
  open,
  admitMany,
  rate,
  responseTimeoutMs,
  faults,
  isUnavailable,
} from './openSharedLimiter.ts'

// On a busy machine Redis may get no time to run. The limiter is right to count locally then, which other tests prove.
const retry = { count: redisRetries, condition: () => opened.splice(0).some((log) => log.errors().length > 0) }

/** Counts the requests for admission that a Redis has received: each reads when its window ends, and nothing else does. */
async function countAdmissions({ url }: TestRedis) {
  const client = await createClient({ url }).connect()
  return {
    count: async () => Number(/cmdstat_pttl:calls=(\d+)/.exec(await client.info('commandstats'))?.[1] ?? 0),
    [Symbol.asyncDispose]: async () => client.destroy(),
  }
}

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
      const admissions = await Promise.all(costs.map(async (cost) => one.limiter.admit('a', [rate], [cost])))
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
    await vi.waitUntil(isSent, { ...eventually, interval: 1 })
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
