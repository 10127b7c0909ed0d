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
 * @returns a function that admits requests by the store, or by `admitWithout` if the store does not count them in time
 */
export function createStoreAdmission({
  store,
  counters,
  unsynced,
  onCounted,
  responseTimeoutMs,
}: createStoreAdmission.Parts): StoreAdmission {
  let lastNumber = 0

  async function count({ subject, windows, costs }: Requests, pending: Pending) {
    const known = counters.read(subject, windows)
    const shared = windows.map(({ name, limit }, index) => {
      const { used: knownUsed, endsInMs: lengthMs } = known[index] as WindowState
      return { name, limit, lengthMs, knownUsed, unsynced: pending.calls[index]?.used ?? 0 }
    })
    const { number, attempts } = pending
    const response = store.admit({ subject, windows: shared, costs, number, attempts })
    return await withTimeout(response, responseTimeoutMs)
  }
  function keep({ subject, windows }: Requests, admissions: readonly Admission[]): void {
    const { states = [] } = admissions.at(-1) ?? {}
    for (const [index, window] of windows.entries()) {
      const state = states[index] as WindowState
      if (state.used > 0) counters.set(subject, window, state)
    }
    onCounted(subject, windows)
  }
  return async (requests, admitWithout) => {
    const { subject, windows, costs } = requests
    const taken = unsynced.take(subject, windows)
    let number = 0
    try {
      for (let tries = 0; tries < maxTries; tries += 1) {
        number = lastNumber += 1
        const admissions = await count(requests, { ...taken, number })
        if (!admissions) continue
        keep(requests, admissions)
        return admissions
      }
      throw new Error('Cannot count the request: the store has ignored it')
    } catch (error) {
      taken.restore(number)
      const admissions = admitWithout(error)
      const calls = costs.reduce((total, cost, index) => total + (admissions[index]?.isAdmitted ? cost : 0), 0)
      const states = admissions.at(-1)?.states ?? []
      const attempt = { number, calls: states.map(({ endsInMs }) => ({ used: calls, endsInMs })) }
      if (calls > 0) unsynced.addAttempt(subject, windows, attempt)
      return admissions
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

/** Requests of one subject, which are admitted in turn. */
export type Requests = {
  readonly subject: string
  readonly windows: readonly Window[]
  /** Number of calls in each request. */
  readonly costs: readonly number[]
}

type Pending = Pick<ReturnType<UnsyncedCounts['take']>, 'calls' | 'attempts'> & { readonly number: number }

type StoreAdmission = (
  requests: Requests,
  admitWithout: (error: unknown) => readonly Admission[],
) => Promise<readonly Admission[]>
