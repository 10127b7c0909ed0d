import type { MemoryCounters } from './createMemoryLimiter.ts'
import type { UnsyncedLedger } from './createUnsyncedCalls.ts'
import type { Admission, Costs, Window, WindowState } from './Limiter.ts'

/**
 * Admits requests within this process's share of each window. The states report the shares of the other processes as
 * used.
 */
export function createOutageAdmission({ counters, unsynced, countProcesses }: createOutageAdmission.Dependencies) {
  function toShares(subject: string, windows: readonly Window[]): readonly Window[] {
    const unsyncedCounts = unsynced.count(subject, windows)
    const states = counters.getWindowStates(subject, windows)
    return windows.map(({ name, limit, lengthMs }, index) => {
      const shared = Math.max(0, (states[index]?.used ?? 0) - (unsyncedCounts[index] ?? 0))
      return { name, limit: toShare(limit, shared, countProcesses()), lengthMs }
    })
  }
  function toStates(windows: readonly Window[], shares: readonly Window[], states: readonly WindowState[]) {
    return states.map((state, index) => {
      const reserved = (windows[index]?.limit ?? 0) - (shares[index]?.limit ?? 0)
      return { ...state, used: state.used + reserved }
    })
  }
  function count(subject: string, windows: readonly Window[], requests: readonly Costs[]): readonly Admission[] {
    // The shares are computed once for all requests. The calls of the requests are not recorded as unsynced yet, so a
    // second computation would mistake them for calls of other processes and return a larger share.
    const shares = toShares(subject, windows)
    return requests.map((costs) => {
      const { isAdmitted, states } = counters.admit(subject, shares, costs)
      return { isAdmitted, states: toStates(windows, shares, states) }
    })
  }
  return {
    /** Admits requests in turn, without adding them to the unsynced calls. */
    count,
    admit(subject: string, windows: readonly Window[], costs: Costs): Admission {
      const [admission] = count(subject, windows, [costs]) as readonly [Admission]
      if (admission.isAdmitted) unsynced.add(subject, windows, { costs, states: admission.states })
      return admission
    },
    getWindowState(subject: string, window: Window): WindowState {
      const [state] = toStates([window], toShares(subject, [window]), counters.getWindowStates(subject, [window]))
      return state ?? { used: 0, endsInMs: window.lengthMs }
    },
  }
}

export declare namespace createOutageAdmission {
  type Dependencies = {
    readonly counters: MemoryCounters
    readonly unsynced: UnsyncedLedger
    readonly countProcesses: () => number
  }
}

/**
 * Returns the limit of a window for one process while several processes cannot share the count. This limit is the last
 * shared count plus an equal share of the remaining calls, rounded up. Together the processes admit at most the limit
 * of the window and one more call per process.
 *
 * @param shared calls at the time when the processes last shared the count
 */
export function toShare(limit: number, shared: number, processes: number): number {
  const left = Math.max(0, limit - shared)
  return Math.min(limit, shared + Math.ceil(left / Math.max(1, processes)))
}
