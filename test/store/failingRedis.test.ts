import { setTimeout as wait } from 'node:timers/promises'
import { openLimiter } from '@agio/store'
import { it, type ExpectStatic } from 'vitest'
import { eventually } from '../harness/timeLimits.ts'
import { startRedis } from '../harness/startRedis.ts'
import { createTestLog } from './createTestLog.ts'
import { describeRedis, open, admitMany, rate, faults, isUnavailable } from './openSharedLimiter.ts'

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
  const before = (await one.limiter.admit('a', [rate], [1000])).states[0]
  // A restart of Redis forgets the calls. Both processes know them, unless Redis seems unavailable before the fault.
  const hasErrors = () => [one, other].some(({ log }) => log.errors().length > 0)
  const isKnown = () => other.limiter.getWindowState('a', rate).used === 50
  await expect.poll(() => isKnown() || hasErrors(), eventually).toBe(true)
  const isDisturbedBefore = hasErrors()
  await faults[fault].begin(redis)
  for (const { limiter } of [one, other]) {
    await limiter.admit('b', [rate])
    await expect.poll(() => limiter.state(), eventually).toBe('unavailable')
  }
  const withoutRedis = await Promise.all([admitMany(one.limiter, 'a', 20), admitMany(other.limiter, 'a', 10)])
  await faults[fault].end(redis)
  for (const { limiter } of [one, other]) await expect.poll(() => limiter.state(), eventually).toBe('shared')
  // Each has reported its local calls.
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
