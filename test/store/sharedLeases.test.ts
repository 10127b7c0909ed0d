import type { Limiter, Window } from '@agio/store'
import { createClient } from '@redis/client'
import { expect, it, vi } from 'vitest'
import { startRedis, type TestRedis } from '../harness/startRedis.ts'
import { eventually, redisRetries } from '../harness/timeLimits.ts'
import { describeRedis, open, opened } from './openSharedLimiter.ts'

// On a busy machine Redis may get no time to run. The limiter is right to count locally then, which other tests prove.
const retry = { count: redisRetries, condition: () => opened.splice(0).some((log) => log.errors().length > 0) }

const first: Window = { name: 'large', limit: 10_000, lengthMs: 600_000 }
// The next window of the same key. Its length differs because the test ends the first window early. A process treats two windows
// with the same end as one window.
const next: Window = { ...first, lengthMs: 500_000 }

/** Calls until the process admits a call from its lease. Returns how many calls were admitted. */
async function callUntilLeased(limiter: Limiter, window: Window): Promise<number> {
  let admitted = 0
  const callSome = async () => {
    for (let call = 0; call < 5; call += 1) {
      const admission = limiter.admit('a', [window])
      admitted += (await admission).isAdmitted ? 1 : 0
      if (!(admission instanceof Promise)) return true
    }
    return false
  }
  await vi.waitUntil(callSome, { ...eventually, interval: 1 })
  return admitted
}

/** Calls until the limiter refuses every call of a round. Returns how many calls were admitted. */
async function callUntilRefused(limiter: Limiter, window: Window): Promise<number> {
  const round = await Promise.all(Array.from({ length: 100 }, async () => limiter.admit('a', [window])))
  const admitted = round.filter(({ isAdmitted }) => isAdmitted).length
  return admitted === 0 ? 0 : admitted + (await callUntilRefused(limiter, window))
}

/**
 * Ends the first window in Redis, with the leases in it, and begins the next one. Without the next window, Redis would count the
 * calls that a process knows of again.
 */
async function beginNextWindow({ url }: TestRedis): Promise<void> {
  const client = await createClient({ url }).connect()
  const begin = client.multi().del(['agio:{a}:large', 'agio:{a}:large:leased'])
  const [ended] = await begin.set('agio:{a}:large', '0', { PX: next.lengthMs }).exec()
  expect(ended).toBe(2)
  client.destroy()
}

describeRedis('leases of processes on one Redis', () => {
  it(
    'a process that returns the lease of an ended window releases no lease that others hold in the next window',
    { retry },
    async () => {
      await using redis = await startRedis()
      await using idle = await open(redis.url)
      await using one = await open(redis.url)
      await using other = await open(redis.url)
      await callUntilLeased(idle.limiter, first)
      await beginNextWindow(redis)
      const leased = [await callUntilLeased(one.limiter, next), await callUntilLeased(other.limiter, next)]
      await idle.limiter.close()
      const last = [await callUntilRefused(one.limiter, next), await callUntilRefused(other.limiter, next)]
      expect([...leased, ...last].reduce((sum, admitted) => sum + admitted, 0)).toBe(next.limit)
      expect(await callUntilRefused(one.limiter, next)).toBe(0)
    },
  )
})
