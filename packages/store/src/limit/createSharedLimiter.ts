import { createClient } from '@redis/client'
import type { StoreLog } from '../StoreLog.ts'
import { admitScript } from './admitScript.ts'
import { createLocalCounters } from './createLocalCounters.ts'
import { createLocalLimiter } from './createLocalLimiter.ts'
import type { Admission, Limiter, Window, WindowState } from './Window.ts'

// An answer that takes longer is not waited for: a request must not hang because Redis does.
const answerWithinMs = 250
const retryMs = 500

/**
 * Limits requests by what all processes have counted, in Redis. What Redis said last is kept, so that a full window is
 * refused without asking, and so that limits go on from there in this process while Redis is away.
 */
export async function createSharedLimiter({ url, log }: createSharedLimiter.Settings): Promise<Limiter> {
  const counters = createLocalCounters(() => performance.now())
  const local = createLocalLimiter(counters)
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: 2000, reconnectStrategy: retryMs },
    scripts: { admit: admitScript },
  })
  let isAway = false
  let isClosed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const setAway = (error: unknown) => {
    if (!isAway) log.error({ err: error }, 'Redis is away: limits are those of this process alone')
    isAway = true
    if (!isClosed) timer ??= setTimeout(() => void lookAgain(), retryMs)
  }
  async function lookAgain(): Promise<void> {
    timer = undefined
    try {
      if (!client.isReady) throw new Error('Redis is not connected')
      await within(client.ping())
      isAway = false
      log.info({}, 'Redis is back: limits are shared again')
    } catch (error) {
      setAway(error)
    }
  }
  client.on('error', setAway)
  // Connecting goes on in the background until it succeeds.
  await within(client.connect()).catch(setAway)

  async function ask(subject: string, windows: readonly Window[], cost: number): Promise<Admission> {
    const known = counters.read(subject, windows)
    const shared = windows.map(({ name, limit }, index) => {
      const { used, endsInMs } = known[index] as WindowState
      return { key: `agio:{${subject}}:${name}`, limit, lengthMs: endsInMs, usedBefore: used }
    })
    const [admitted, ...figures] = await within(client.admit(shared, cost))
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
  return {
    async admit(subject, windows, cost = 1) {
      await local.begin(subject, windows)
      // Nothing gives calls back, so what does not fit by what is known already does not fit.
      const states = counters.read(subject, windows)
      const fits = windows.every(({ limit }, index) => (states[index]?.used ?? 0) + cost <= limit)
      if (!fits) return { isAdmitted: false, states }
      if (isAway) return counters.admit(subject, windows, cost)
      try {
        return await ask(subject, windows, cost)
      } catch (error) {
        setAway(error)
        return counters.admit(subject, windows, cost)
      }
    },
    isFull: local.isFull,
    state: () => (isAway ? 'away' : 'shared'),
    async close() {
      isClosed = true
      clearTimeout(timer)
      client.destroy()
    },
  }
}

export declare namespace createSharedLimiter {
  type Settings = {
    /** Where Redis is. */
    readonly url: string
    readonly log: StoreLog
  }
}

async function within<Value>(answer: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Redis has not answered within ${answerWithinMs} ms`)), answerWithinMs)
  })
  return await Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
