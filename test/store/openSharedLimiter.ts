import { openLimiter, type Limiter, type Window } from '@agio/store'
import { describeWith } from '../harness/findServices.ts'
import type { TestRedis } from '../harness/startRedis.ts'
import { createTestLog, type TestLog } from './createTestLog.ts'

/** How long a limiter waits for Redis. On a busy machine Redis may get no time to run for longer than the default. */
export const responseTimeoutMs = 1500

/** The window that the tests fill. */
export const rate: Window = { name: 'rate', limit: 100, lengthMs: 600_000 }

type Opened = AsyncDisposable & { readonly limiter: Limiter; readonly log: TestLog }

/** The logs of the limiters that a test has opened. */
export const opened: TestLog[] = []

/** Opens the limiter of one process on a Redis, with its log. */
export async function open(url: string, processes = 1): Promise<Opened> {
  const log = createTestLog()
  opened.push(log)
  const limiter = await openLimiter({ redisUrl: url, log, countProcesses: () => processes, responseTimeoutMs })
  return { limiter, log, [Symbol.asyncDispose]: () => limiter.close() }
}

/** Requests admission many times at once, and returns how many requests were admitted. */
export async function admitMany(limiter: Limiter, subject: string, requests: number): Promise<number> {
  const admissions = await Promise.all(Array.from({ length: requests }, async () => limiter.admit(subject, [rate])))
  return admissions.filter(({ isAdmitted }) => isAdmitted).length
}

/** The message of a limiter whose Redis is unavailable. */
export const isUnavailable = 'Redis is unavailable: each process admits its share of the remaining calls'

/** The faults of a Redis: how each begins and ends. */
export const faults = {
  stops: { begin: (redis: TestRedis) => redis.stop(), end: (redis: TestRedis) => redis.start() },
  hangs: { begin: async (redis: TestRedis) => redis.pause(), end: async (redis: TestRedis) => redis.resume() },
}

/** Describes tests that need Redis. */
export const describeRedis = await describeWith(
  ['Redis binary'],
  'limits that processes share, and a Redis that stops or hangs',
)
