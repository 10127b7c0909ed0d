import type { StoreLog } from '../log/StoreLog.ts'
import type { CountingStore } from './CountingStore.ts'
import { createMemoryCounters } from './createMemoryCounters.ts'
import { createMemoryLimiter } from './createMemoryLimiter.ts'
import { createUnsyncedCounts } from './createUnsyncedCounts.ts'
import type { Admission, Limiter, Window, WindowState } from './Limiter.ts'
import { watchStore } from './watchStore.ts'
import { responseTimeoutMs, withTimeout } from './withTimeout.ts'

/**
 * Limits requests by the counts of all processes, in a store. The last response for each window is kept: a full window is
 * refused without a call to the store, and limits continue from it in this process while the store is unavailable. The
 * store receives the calls admitted meanwhile once it is available again.
 */
export async function createFailoverLimiter(store: CountingStore, log: StoreLog): Promise<Limiter> {
  const clock = () => performance.now()
  const counters = createMemoryCounters(clock)
  const unsynced = createUnsyncedCounts(clock)
  const memory = createMemoryLimiter(counters)
  const watch = await watchStore(store, log)

  async function admitInStore(subject: string, windows: readonly Window[], cost: number): Promise<Admission> {
    const known = counters.read(subject, windows)
    const calls = unsynced.take(subject, windows)
    const shared = windows.map(({ name, limit }, index) => {
      const { used: knownUsed, endsInMs: lengthMs } = known[index] as WindowState
      return { name, limit, lengthMs, knownUsed, unsynced: calls[index]?.used ?? 0 }
    })
    try {
      const admission = await withTimeout(store.admit(subject, shared, cost), responseTimeoutMs)
      for (const [index, window] of windows.entries()) {
        const state = admission.states[index] as WindowState
        if (state.used > 0) counters.set(subject, window, state)
      }
      return admission
    } catch (error) {
      unsynced.add(subject, windows, calls)
      throw error
    }
  }
  function admitInMemory(subject: string, windows: readonly Window[], cost: number): Admission {
    const admission = counters.admit(subject, windows, cost)
    const calls = admission.states.map(({ endsInMs }) => ({ used: cost, endsInMs }))
    if (admission.isAdmitted) unsynced.add(subject, windows, calls)
    return admission
  }
  return {
    async admit(subject, windows, cost = 1) {
      await memory.begin(subject, windows)
      const states = counters.read(subject, windows)
      const fits = windows.every(({ limit }, index) => (states[index]?.used ?? 0) + cost <= limit)
      const mustSync = () => watch.isAvailable() && unsynced.has(subject, windows)
      // Counts never decrease, so the store would refuse what the known counts refuse.
      if (!fits && !mustSync()) return { isAdmitted: false, states }
      if (!watch.isAvailable()) return admitInMemory(subject, windows, cost)
      try {
        return await admitInStore(subject, windows, cost)
      } catch (error) {
        watch.markUnavailable(error)
        return admitInMemory(subject, windows, cost)
      }
    },
    read: memory.read,
    state: () => (watch.isAvailable() ? 'shared' : 'unavailable'),
    async close() {
      watch.stop()
      store.close()
    },
  }
}
