import { createClient } from '@redis/client'
import type { StoreLog } from '../StoreLog.ts'
import { admitScript } from './admitScript.ts'
import { createUnsyncedCounts } from './createUnsyncedCounts.ts'
import { createMemoryCounters } from './createMemoryCounters.ts'
import { createMemoryLimiter } from './createMemoryLimiter.ts'
import type { Admission, Limiter, Window, WindowState } from './Limiter.ts'

// An answer that takes longer is not waited for: a request must not hang because Redis does.
const answerWithinMs = 250
const retryMs = 500
// So that a Redis that hangs is noticed though nobody calls. Nobody waits for this answer either: on a busy machine it has time.
const watchMs = 1000
const probe = { key: 'agio:probe', limit: 1_000_000, lengthMs: 1000, usedBefore: 0, owed: 0 }
// A timer that is this late tells of a process that could not run.
const standstillMs = 50

/**
 * Limits requests by what all processes have counted, in Redis. What Redis said last is kept, so that a full window is
 * refused without asking, and so that limits go on from there in this process while Redis is away. What was admitted
 * meanwhile is told to Redis once it is back.
 *
 * @throws `Error` if the URL is none
 */
export async function createRedisLimiter({ url, log }: createRedisLimiter.Settings): Promise<Limiter> {
  const clock = () => performance.now()
  const counters = createMemoryCounters(clock)
  const debts = createUnsyncedCounts(clock)
  const local = createMemoryLimiter(counters)
  let client = createRedis(url)
  let isAway = false
  let isClosed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const setAway = (error: unknown) => {
    if (isClosed) return
    if (!isAway) log.error({ err: error }, 'Redis is unavailable: limits use the counts of this process only')
    if (!isAway) lookIn(retryMs)
    isAway = true
  }
  function lookIn(delayMs: number): void {
    clearTimeout(timer)
    if (!isClosed) timer = setTimeout(() => void look(), delayMs)
  }
  async function look(): Promise<void> {
    try {
      if (!client.isReady) throw new Error('Redis is not connected')
      // A Redis that only answers, and takes nothing down, is none for limits.
      const answer = client.admit([probe], 1)
      await (isAway ? within(answer).catch(reconnect) : within(answer, watchMs))
      if (isAway) log.info({}, 'Redis is available again: limits are shared')
      isAway = false
    } catch (error) {
      setAway(error)
    }
    lookIn(isAway ? retryMs : watchMs)
  }
  async function connect(): Promise<void> {
    client.on('error', setAway)
    // Connecting goes on in the background until it succeeds.
    await within(client.connect()).catch(setAway)
  }
  /** Leaves a connection that is open and carries nothing, which may never be noticed from below. */
  async function reconnect(error: unknown): Promise<never> {
    client.destroy()
    if (!isClosed) {
      client = createRedis(url)
      await connect()
    }
    throw error
  }
  await connect()
  lookIn(isAway ? retryMs : watchMs)

  async function ask(subject: string, windows: readonly Window[], cost: number): Promise<Admission> {
    const known = counters.read(subject, windows)
    const owed = debts.take(subject, windows)
    const shared = windows.map(({ name, limit }, index) => {
      const { used, endsInMs } = known[index] as WindowState
      const key = `agio:{${subject}}:${name}`
      return { key, limit, lengthMs: endsInMs, usedBefore: used, owed: owed[index]?.used ?? 0 }
    })
    const answer = await within(client.admit(shared, cost)).catch((error: unknown) => {
      debts.add(subject, windows, owed)
      throw error
    })
    const [admitted, ...figures] = answer
    const states = windows.map((_, index) => ({
      used: figures[2 * index] as number,
      endsInMs: figures[2 * index + 1] as number,
    }))
    for (const [index, window] of windows.entries()) {
      const state = states[index] as WindowState
      if (state.used > 0) counters.set(subject, window, state)
    }
    return { isAdmitted: admitted === 1, states }
  }
  function admitHere(subject: string, windows: readonly Window[], cost: number): Admission {
    const admission = counters.admit(subject, windows, cost)
    const calls = admission.states.map(({ endsInMs }) => ({ used: cost, endsInMs }))
    if (admission.isAdmitted) debts.add(subject, windows, calls)
    return admission
  }
  return {
    async admit(subject, windows, cost = 1) {
      await local.begin(subject, windows)
      const states = counters.read(subject, windows)
      const fits = windows.every(({ limit }, index) => (states[index]?.used ?? 0) + cost <= limit)
      // Nothing gives calls back, so what does not fit by what is known already does not fit.
      if (!fits && (isAway || !debts.isOwing(subject, windows))) return { isAdmitted: false, states }
      if (isAway) return admitHere(subject, windows, cost)
      try {
        return await ask(subject, windows, cost)
      } catch (error) {
        setAway(error)
        return admitHere(subject, windows, cost)
      }
    },
    read: local.read,
    state: () => (isAway ? 'unavailable' : 'shared'),
    async close() {
      isClosed = true
      clearTimeout(timer)
      client.destroy()
    },
  }
}

export declare namespace createRedisLimiter {
  type Settings = {
    /** Where Redis is. */
    readonly url: string
    readonly log: StoreLog
  }
}

function createRedis(url: string) {
  try {
    return createClient({
      url,
      disableOfflineQueue: true,
      socket: { connectTimeout: 2000, reconnectStrategy: retryMs },
      scripts: { admit: admitScript },
    })
  } catch {
    // The cause would hold the URL, and with it the password.
    throw new Error('Cannot share limits: REDIS_URL is not the URL of a Redis')
  }
}

async function within<Value>(answer: Promise<Value>, limitMs = answerWithinMs): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const startedMs = performance.now()
  const giveUp = () => reject(new Error(`Redis has not answered within ${limitMs} ms`))
  let timer = setTimeout(() => {
    const stoodStillMs = performance.now() - startedMs - limitMs
    // A process that stood still itself could hear no answer, and listens once more.
    if (stoodStillMs > standstillMs) timer = setTimeout(giveUp, limitMs)
    else giveUp()
  }, limitMs)
  return await Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
