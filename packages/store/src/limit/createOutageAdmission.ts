import { createMemoryCounters, type MemoryCounters } from './createMemoryLimiter.ts'
import type { Admission, Window, WindowState } from './Limiter.ts'

/**
 * Admits requests within this process's share of each window, while the processes cannot share their counts. The states report
 * the shares of the other processes as used.
 */
export function createOutageAdmission({ counters, now, ...dependencies }: Dependencies) {
  // The calls that this process has admitted since the outage began.
  let own = createMemoryCounters(now)
  let processes = 1

  // A process that has ended may have used its share, so the count does not decrease.
  const countProcesses = () => (processes = Math.max(processes, dependencies.countProcesses()))

  function toShares(subject: string, windows: readonly Window[]): readonly Window[] {
    const ownStates = own.getWindowStates(subject, windows)
    const states = counters.getWindowStates(subject, windows)
    return windows.map(({ name, limit, lengthMs }, index) => {
      const shared = Math.max(0, (states[index]?.used ?? 0) - (ownStates[index]?.used ?? 0))
      return { name, limit: toShare(limit, shared, countProcesses()), lengthMs }
    })
  }
  function toStates(windows: readonly Window[], shares: readonly Window[], states: readonly WindowState[]) {
    return states.map((state, index) => {
      const reserved = (windows[index]?.limit ?? 0) - (shares[index]?.limit ?? 0)
      return { ...state, used: state.used + reserved }
    })
  }
  return {
    /** Begins an outage. */
    begin(): void {
      own = createMemoryCounters(now)
      processes = dependencies.countProcesses()
    },
    /** Returns the largest number of processes since the outage began. */
    countProcesses,
    /** Admits requests in turn. */
    admit({ subject, windows, costs }: Requests): readonly Admission[] {
      return costs.map((each) => {
        const shares = toShares(subject, windows)
        const { isAdmitted, states } = counters.admit(subject, shares, each)
        if (isAdmitted) {
          const ends = states.map(({ endsInMs }, index) => ({
            ...(windows[index] as Window),
            limit: Infinity,
            lengthMs: endsInMs,
          }))
          own.admit(subject, ends, each)
        }
        return { isAdmitted, states: toStates(windows, shares, states) }
      })
    },
    getWindowState(subject: string, window: Window): WindowState {
      const [state] = toStates([window], toShares(subject, [window]), counters.getWindowStates(subject, [window]))
      return state ?? { used: 0, endsInMs: window.lengthMs }
    },
  }
}

/** Requests of one subject that are admitted in turn. */
export type Requests = {
  readonly subject: string
  readonly windows: readonly Window[]
  /** What each request counts. */
  readonly costs: readonly number[]
}

type Dependencies = {
  readonly counters: MemoryCounters
  /** A monotonic clock in milliseconds. */
  readonly now: () => number
  /** Returns the number of processes that share the limits, this one included. */
  readonly countProcesses: () => number
}

/**
 * Returns the limit of a window for one process while several processes cannot share the count. This limit is the last
 * shared count plus an equal share of the remaining calls, rounded up. Processes that know the same count together admit at most
 * the limit of the window and one more call per process.
 *
 * @param shared calls at the time when the processes last shared the count
 */
export function toShare(limit: number, shared: number, processes: number): number {
  const left = Math.max(0, limit - shared)
  return Math.min(limit, shared + Math.ceil(left / Math.max(1, processes)))
}
