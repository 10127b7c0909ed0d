import type { CountingRequest, CountingStore } from './CountingStore.ts'
import type { MemoryCounters } from './createMemoryLimiter.ts'
import type { UnsyncedLedger } from './createUnsyncedCalls.ts'
import type { Admission, Costs, Window, WindowState } from './Limiter.ts'
import { withTimeout } from '../response/withTimeout.ts'

/**
 * Creates the admission of requests by a store. Each request to the store also carries the calls that the store may not
 * have counted.
 */
export function createStoreAdmission({
  store,
  counters,
  unsynced,
  onCounted,
  responseTimeoutMs,
}: createStoreAdmission.Dependencies): StoreAdmission {
  let lastNumber = 0

  function toShared(subject: string, windows: readonly Window[], number: number): CountingRequest['windows'] {
    const calls = unsynced.carry(subject, windows, number)
    const states = counters.getWindowStates(subject, windows)
    return windows.map((window, index) => {
      const { used: knownUsed, endsInMs: lengthMs } = states[index] as WindowState
      return { name: window.name, limit: window.limit, lengthMs, knownUsed, unsynced: calls[index] ?? [] }
    })
  }
  function recordCounts({ subject, windows }: Requests, states: readonly WindowState[]): void {
    for (const [index, window] of windows.entries()) {
      const { used, endsInMs } = states[index] as WindowState
      if (used > 0) counters.set(subject, window, { used, endsInMs })
    }
    onCounted(subject, windows)
  }
  return {
    async admit(requests, admitWithout) {
      const { subject, windows, costs } = requests
      const number = (lastNumber += 1)
      const shared = toShared(subject, windows, number)
      try {
        const response = store.admit({ subject, windows: shared, costs, number })
        const { admissions, states, previousNumber } = await withTimeout(response, responseTimeoutMs)
        unsynced.settle(subject, windows, { number, previousNumber })
        recordCounts(requests, states)
        return admissions
      } catch (error) {
        const admissions = admitWithout(error)
        const admitted = costs.filter((_, index) => admissions[index]?.isAdmitted)
        const totals = windows.map((_, at) => admitted.reduce((total, each) => total + (each[at] ?? 0), 0))
        const { states = [] } = admissions.at(-1) ?? {}
        unsynced.add(subject, windows, { costs: totals, states, number })
        return admissions
      }
    },
    async report(subject) {
      const windows = unsynced.listWindows(subject)
      if (windows.length === 0) return
      const number = (lastNumber += 1)
      const shared = toShared(subject, windows, number)
      await withTimeout(store.admit({ subject, windows: shared, costs: [], number }), responseTimeoutMs)
      unsynced.markReported(subject, number)
    },
  }
}

export declare namespace createStoreAdmission {
  type Dependencies = {
    readonly store: CountingStore
    readonly counters: MemoryCounters
    readonly unsynced: UnsyncedLedger
    /** Runs after each response of the store. */
    readonly onCounted: (subject: string, windows: readonly Window[]) => void
    readonly responseTimeoutMs: number
  }
}

type StoreAdmission = {
  /** Admits requests by the store, or by `admitWithout` if the store does not count them in time. */
  admit(requests: Requests, admitWithout: (error: unknown) => readonly Admission[]): Promise<readonly Admission[]>
  /**
   * Adds the unsynced calls of a subject to the counts of the store. This process keeps its own counts, and the calls as
   * unsynced, so that its shares do not change.
   *
   * @throws `Error` if the store does not respond in time
   */
  report(subject: string): Promise<void>
}

/** Requests of one subject, admitted in turn. */
export type Requests = {
  readonly subject: string
  readonly windows: readonly Window[]
  /** The costs of each request. */
  readonly costs: readonly Costs[]
}

/**
 * Creates a queue that admits requests by `admitTogether`, one call at a time for each subject. Requests that arrive in
 * the same turn of the event loop are admitted together. Requests that arrive during a call are admitted after it, in
 * order. Requests share a call if they have the same windows, or if some lack the last windows of the others.
 */
export function createAdmissionQueue(
  admitTogether: (requests: Requests) => Promise<readonly Admission[]>,
): (subject: string, windows: readonly Window[], costs: Costs) => Promise<Admission> {
  // The waiting groups of a subject.
  const queues = new Map<string, Group[]>()

  async function admitInTurn(subject: string, queue: Group[]): Promise<void> {
    // Requests of one group arrive here one after another.
    await Promise.resolve()
    for (let group = queue.shift(); group; group = queue.shift()) {
      await admitTogether(group).then(group.resolve, group.reject)
    }
    queues.delete(subject)
  }
  function start(subject: string): Group[] {
    const queue: Group[] = []
    queues.set(subject, queue)
    void admitInTurn(subject, queue)
    return queue
  }
  return async (subject, windows, costs) => {
    const queue = queues.get(subject) ?? start(subject)
    const waiting = queue.at(-1)
    const isOpen = waiting !== undefined && haveSameLimits(waiting.windows, windows)
    const group = isOpen ? waiting : createGroup(subject, windows)
    if (windows.length > group.windows.length) group.windows = windows
    const index = group.costs.push(costs) - 1
    if (!isOpen) queue.push(group)
    const admissions = await group.admissions
    const admission = admissions[index] as Admission
    if (windows.length === group.windows.length) return admission
    return { ...admission, states: admission.states.slice(0, windows.length) }
  }
}

type Group = Requests & {
  windows: readonly Window[]
  readonly costs: Costs[]
  readonly admissions: Promise<readonly Admission[]>
  readonly resolve: (admissions: readonly Admission[]) => void
  readonly reject: (error: unknown) => void
}

function createGroup(subject: string, windows: readonly Window[]): Group {
  const { promise: admissions, ...settle } = Promise.withResolvers<readonly Admission[]>()
  return { subject, windows, costs: [], admissions, ...settle }
}

/** Returns whether one list of windows begins the other. */
function haveSameLimits(windows: readonly Window[], others: readonly Window[]): boolean {
  return beginsWith(windows, others) || beginsWith(others, windows)
}

/** Returns whether a list of windows begins with other windows of the same limits. A limit changes with the tier of a key. */
function beginsWith(windows: readonly Window[], first: readonly Window[]): boolean {
  return first.every(({ name, limit }, index) => name === windows[index]?.name && limit === windows[index].limit)
}
