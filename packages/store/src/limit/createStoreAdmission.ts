import type { CountingStore } from './CountingStore.ts'
import type { MemoryCounters } from './createMemoryCounters.ts'
import type { UnsyncedCounts } from './createUnsyncedCounts.ts'
import type { Admission, Window, WindowState } from './Limiter.ts'
import { withTimeout } from './withTimeout.ts'

// A request is ignored if the store received a later one before it, which takes a store that has just restarted.
const maxTries = 3

/**
 * Creates the admission of requests by a store, which also receives the calls that it has not counted, once.
 *
 * @returns a function that admits a request by the store, or by `admitWithout` if the store does not count it in time
 */
export function createStoreAdmission({
  store,
  counters,
  unsynced,
  onCounted,
  responseTimeoutMs,
}: createStoreAdmission.Parts): StoreAdmission {
  let lastNumber = 0

  async function count(request: Request, pending: Pending): Promise<Admission | undefined> {
    const { subject, windows, cost } = request
    const known = counters.read(subject, windows)
    const shared = windows.map(({ name, limit }, index) => {
      const { used: knownUsed, endsInMs: lengthMs } = known[index] as WindowState
      return { name, limit, lengthMs, knownUsed, unsynced: pending.calls[index]?.used ?? 0 }
    })
    const { number, attempts } = pending
    const response = store.admit({ subject, windows: shared, cost, number, attempts })
    return await withTimeout(response, responseTimeoutMs)
  }
  function keep({ subject, windows }: Request, { states }: Admission): void {
    for (const [index, window] of windows.entries()) {
      const state = states[index] as WindowState
      if (state.used > 0) counters.set(subject, window, state)
    }
    onCounted(subject, windows)
  }
  return async (request, admitWithout) => {
    const { subject, windows, cost } = request
    const taken = unsynced.take(subject, windows)
    let number = 0
    try {
      for (let tries = 0; tries < maxTries; tries += 1) {
        number = lastNumber += 1
        const admission = await count(request, { ...taken, number })
        if (!admission) continue
        keep(request, admission)
        return admission
      }
      throw new Error('Cannot count the request: the store has ignored it')
    } catch (error) {
      taken.restore(number)
      const admission = admitWithout(error)
      const calls = admission.states.map(({ endsInMs }) => ({ used: cost, endsInMs }))
      if (admission.isAdmitted) unsynced.addAttempt(subject, windows, { number, calls })
      return admission
    }
  }
}

export declare namespace createStoreAdmission {
  type Parts = {
    readonly store: CountingStore
    readonly counters: MemoryCounters
    readonly unsynced: UnsyncedCounts
    /** Runs after each response of the store. */
    readonly onCounted: (subject: string, windows: readonly Window[]) => void
    readonly responseTimeoutMs: number
  }
}

type Request = { readonly subject: string; readonly windows: readonly Window[]; readonly cost: number }

type Pending = Pick<ReturnType<UnsyncedCounts['take']>, 'calls' | 'attempts'> & { readonly number: number }

type StoreAdmission = (request: Request, admitWithout: (error: unknown) => Admission) => Promise<Admission>
