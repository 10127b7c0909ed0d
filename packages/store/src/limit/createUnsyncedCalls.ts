import { LRUCache } from 'lru-cache'
import type { UnsyncedCalls } from './CountingStore.ts'
import type { Costs, Window, WindowState } from './Limiter.ts'

const maxSubjects = 50_000

// Lower than the number of any request, so that a store never adds these calls again.
const reportedNumber = 0

/**
 * Keeps the calls that this process admitted and a store may not have counted, until their windows end.
 *
 * @param now a monotonic clock in milliseconds
 */
export function createUnsyncedCalls(now: () => number): UnsyncedLedger {
  const bySubject = new LRUCache<string, readonly Entry[]>({ max: maxSubjects })

  function listEntries(subject: string): readonly Entry[] {
    const nowMs = now()
    return (bySubject.get(subject) ?? []).filter(({ endsAtMs }) => nowMs < endsAtMs)
  }
  function write(subject: string, entries: readonly Entry[]): void {
    if (entries.length > 0) bySubject.set(subject, entries)
    else bySubject.delete(subject)
  }
  function count(subject: string, windows: readonly Window[]): readonly number[] {
    const entries = listEntries(subject)
    return windows.map((window) => filterByWindow(entries, window).reduce((total, { calls }) => total + calls, 0))
  }
  return {
    count,
    // The check of the size comes first, because most processes never see an outage.
    has: (subject, windows) => bySubject.size > 0 && count(subject, windows).some((calls) => calls > 0),
    listUnreported: () =>
      [...bySubject.keys()].filter((subject) => listEntries(subject).some(({ number }) => number !== reportedNumber)),
    listWindows: (subject) => [...new Map(listEntries(subject).map(({ window }) => [window.name, window])).values()],
    add(subject, windows, { costs, states, number }) {
      const added = windows.map((window, index) => {
        const { endsInMs } = states[index] as WindowState
        return { window, number, calls: costs[index] ?? 0, endsAtMs: now() + endsInMs }
      })
      const counted = added.filter(({ calls }) => calls > 0)
      write(subject, counted.reduce(addEntry, listEntries(subject)))
    },
    carry(subject, windows, number) {
      if (bySubject.size === 0) return []
      const entries = listEntries(subject).map((entry) => {
        return isIn(windows, entry) ? { ...entry, number: entry.number ?? number } : entry
      })
      write(subject, entries)
      return windows.map((window) =>
        filterByWindow(entries, window).map(({ calls, number: carriedBy = number }) => ({ number: carriedBy, calls })),
      )
    },
    markReported(subject, number) {
      const entries = listEntries(subject).map((entry) => {
        return (entry.number ?? Infinity) <= number ? { ...entry, number: reportedNumber } : entry
      })
      write(subject, entries.reduce<readonly Entry[]>(addEntry, []))
    },
    settle(subject, windows, { number, previousNumber }) {
      if (!bySubject.has(subject)) return
      const isCounted = (entry: Entry) => (entry.number ?? Infinity) <= (isIn(windows, entry) ? number : previousNumber)
      const left = listEntries(subject).filter((entry) => !isCounted(entry))
      const unsent = left.map((entry) => ({ ...entry, number: undefined }))
      write(subject, unsent.reduce<readonly Entry[]>(addEntry, []))
    },
  }
}

/** Calls in one window. The number is undefined until a request carries them. */
type Entry = Omit<UnsyncedCalls, 'number'> & {
  readonly window: Window
  readonly number: number | undefined
  readonly endsAtMs: number
}

function isIn(windows: readonly Window[], { window }: Entry): boolean {
  return windows.some(({ name }) => name === window.name)
}

function filterByWindow(entries: readonly Entry[], { name }: Window): readonly Entry[] {
  return entries.filter(({ window }) => window.name === name)
}

function addEntry(entries: readonly Entry[], added: Entry): readonly Entry[] {
  const same = entries.find(({ window, number }) => window.name === added.window.name && number === added.number)
  if (!same) return [...entries, added]
  return entries.map((entry) => (entry === same ? { ...same, calls: same.calls + added.calls } : entry))
}

/** The admitted calls that the store may not have counted. */
export type UnsyncedLedger = {
  /** Adds calls to their windows, with the number of the request that carried them to the store, if any. */
  add(subject: string, windows: readonly Window[], added: AdmittedCalls): void
  /** Returns the unsynced calls of each window. */
  count(subject: string, windows: readonly Window[]): readonly number[]
  /** Returns whether a subject has unsynced calls in any of the windows. */
  has(subject: string, windows: readonly Window[]): boolean
  /** Returns the subjects with calls that are not reported. */
  listUnreported(): readonly string[]
  /** Returns the windows in which a subject has unsynced calls. */
  listWindows(subject: string): readonly Window[]
  /**
   * Returns the unsynced calls of each window, for the request with this number. Calls without a number get it. The calls stay
   * unsynced, because the store may not receive the request.
   */
  carry(subject: string, windows: readonly Window[], number: number): readonly (readonly UnsyncedCalls[])[]
  /**
   * Records that the store has counted the calls up to a number. They remain unsynced for the shares of this process, and no
   * request adds them again.
   */
  markReported(subject: string, number: number): void
  /**
   * Removes the calls that the store has counted: the calls that its last request carried, and in other windows the calls whose
   * number is at most `previousNumber`. The store did not count the other calls. They lose their number, so that the next
   * request carries them.
   *
   * @param windows the windows of the last request
   */
  settle(subject: string, windows: readonly Window[], executed: ExecutedRequest): void
}

type AdmittedCalls = {
  /** Calls in each window. */
  readonly costs: Costs
  readonly states: readonly WindowState[]
  /** Number of the request that carried the calls; undefined if no request has. */
  readonly number?: number
}

type ExecutedRequest = {
  readonly number: number
  /** Number of the request that the store executed before. */
  readonly previousNumber: number
}
