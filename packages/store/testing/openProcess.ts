import { vi } from 'vitest'
import type { CountedRequests, CountingRequest, CountingStore } from '../src/limit/CountingStore.ts'
import { createFailoverLimiter } from '../src/limit/createFailoverLimiter.ts'
import { createMemoryCounters } from '../src/limit/createMemoryLimiter.ts'
import type { Limiter } from '../src/limit/Limiter.ts'

/** A window that does not end during a test. */
export const rate = { name: 'rate', limit: 100, lengthMs: 600_000 }

/** The messages of the log when the store fails, and when it works again. */
export const unavailable = 'Test store is unavailable: each process admits its share of the remaining calls'
export const available = 'Test store is available again: limits are shared'

/** How long a process needs to find by a probe that its store works again. */
export const returnMs = 250

/** `hangs`: the server executes requests once it works again. `counts`: it executes requests and does not respond. */
type Fault = 'works' | 'fails' | 'hangs' | 'counts'

/** Creates a server that counts in memory and can fail, and the store of each process that is opened. */
export function createStore() {
  const counters = createMemoryCounters(() => performance.now())
  const calls = { admit: 0, reconnect: 0 }
  let fault: Fault = 'works'
  // What runs once the server works again.
  let later: (() => void)[] = []

  function count({ subject, windows, costs }: CountingRequest): CountedRequests {
    for (const window of windows) {
      const { knownUsed, lengthMs } = window
      const [state = { used: 0, endsInMs: lengthMs }] = counters.getWindowStates(subject, [window])
      if (knownUsed > state.used) counters.set(subject, window, { ...state, used: knownUsed })
    }
    const admissions = costs.map((cost) => counters.admit(subject, windows, cost))
    return { admissions, states: counters.getWindowStates(subject, windows) }
  }
  async function untilWorking(): Promise<void> {
    if (fault !== 'works') await new Promise<void>((resolve) => later.push(resolve))
  }
  const store = (): CountingStore => {
    let isOpen = false
    const open = async () => await untilWorking().then(() => void (isOpen = true))
    return {
      name: 'Test store',
      connect: open,
      async admit(request) {
        calls.admit += 1
        if (!isOpen || fault === 'fails') throw new Error('Cannot count: the connection is closed')
        if (fault === 'counts') count(request)
        if (fault === 'counts') return await new Promise<never>(() => {})
        await untilWorking()
        return count(request)
      },
      hold: async () => true,
      release: async () => {},
      async reconnect() {
        calls.reconnect += 1
        isOpen = false
        await open()
      },
      close: () => {},
    }
  }
  return {
    store,
    /** The number of requests of each kind. */
    calls,
    set(next: Fault): void {
      fault = next
      if (fault !== 'works') return
      for (const run of later) run()
      later = []
    },
    /** Returns the calls of `a` in the window. */
    used: () => counters.getWindowStates('a', [rate])[0]?.used,
  }
}

/** Opens the limiter of one more process, with the messages of its log. */
export async function openProcess(connect: () => CountingStore, countProcesses?: () => number) {
  const messages: string[] = []
  const write = (_: object, message: string) => void messages.push(message)
  const log = { info: write, error: write }
  return { limiter: await createFailoverLimiter(connect(), { log, countProcesses }), log: messages }
}

/** Returns how many of some requests are admitted. */
export async function admitMany(limiter: Limiter, requests: number): Promise<number> {
  const admissions = await Promise.all(Array.from({ length: requests }, async () => limiter.admit('a', [rate])))
  return admissions.filter(({ isAdmitted }) => isAdmitted).length
}

/** Advances the time, and returns what a promise resolves to meanwhile. */
export async function elapse<Value>(ms: number, promise: Promise<Value>): Promise<Value> {
  await vi.advanceTimersByTimeAsync(ms)
  return await promise
}
