import { LRUCache } from 'lru-cache'
import type { UnsyncedCalls } from './CountingStore.ts'
import type { Costs, Window, WindowState } from './Limiter.ts'

const maxSubjects = 50_000

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
    return windows.map(({ name }) => filterByWindow(entries, name).reduce((total, { calls }) => total + calls, 0))
  }
  return {
    count,
    // The check of the size comes first, because most processes never see an outage.
    has: (subject, windows) => bySubject.size > 0 && count(subject, windows).some((calls) => calls > 0),
    add(subject, windows, { costs, states, number }) {
      const added = windows.map(({ name: window }, index) => {
        const { endsInMs } = states[index] as WindowState
        return { window, number, calls: costs[index] ?? 0, endsAtMs: now() + endsInMs }
      })
      const counted = added.filter(({ calls }) => calls > 0)
      write(subject, counted.reduce(addEntry, listEntries(subject)))
    },
    settle(subject, previousNumber) {
      if (!bySubject.has(subject)) return
      const left = listEntries(subject).filter(({ number = Infinity }) => number > previousNumber)
      const unsent = left.map((entry) => ({ ...entry, number: undefined }))
      write(subject, unsent.reduce<readonly Entry[]>(addEntry, []))
    },
    take(subject, windows, number) {
      if (bySubject.size === 0) return emptyTaken
      const isTaken = ({ window }: Entry) => windows.some(({ name }) => name === window)
      const entries = listEntries(subject)
      const taken = entries.filter(isTaken).map((entry) => ({ ...entry, number: entry.number ?? number }))
      write(
        subject,
        entries.filter((entry) => !isTaken(entry)),
      )
      return {
        byWindow: windows.map(({ name }) => filterByWindow(taken, name)),
        restore: () => write(subject, [...taken, ...listEntries(subject)]),
      }
    },
  }
}

/** Calls in one window. The number is undefined until a request carries them. */
type Entry = Omit<UnsyncedCalls, 'number'> & {
  readonly window: string
  readonly number: number | undefined
  readonly endsAtMs: number
}

function filterByWindow<Value extends Entry>(entries: readonly Value[], name: string): readonly Value[] {
  return entries.filter(({ window }) => window === name)
}

function addEntry(entries: readonly Entry[], added: Entry): readonly Entry[] {
  const same = entries.find(({ window, number }) => window === added.window && number === added.number)
  if (!same) return [...entries, added]
  return entries.map((entry) => (entry === same ? { ...same, calls: same.calls + added.calls } : entry))
}

const emptyTaken: Taken = { byWindow: [], restore: () => {} }

/** The admitted calls that the store may not have counted. */
export type UnsyncedLedger = {
  /** Adds calls to their windows, with the number of the request that carried them to the store, if any. */
  add(subject: string, windows: readonly Window[], added: AdmittedCalls): void
  /** Returns the unsynced calls of each window. */
  count(subject: string, windows: readonly Window[]): readonly number[]
  /** Returns whether a subject has unsynced calls in any of the windows. */
  has(subject: string, windows: readonly Window[]): boolean
  /**
   * Removes the calls that the store has counted: the calls whose number is at most `previousNumber`. The store did not
   * count the other calls. They lose their number, so that the next request carries them.
   *
   * @param previousNumber the number of the request that the store executed before its last request
   */
  settle(subject: string, previousNumber: number): void
  /** Removes and returns the unsynced calls of the windows, for the request with this number. */
  take(subject: string, windows: readonly Window[], number: number): Taken
}

type AdmittedCalls = {
  /** Calls in each window. */
  readonly costs: Costs
  readonly states: readonly WindowState[]
  /** Number of the request that carried the calls; undefined if no request has. */
  readonly number?: number
}

type Taken = {
  /** The unsynced calls of each window. */
  readonly byWindow: readonly (readonly UnsyncedCalls[])[]
  /** Adds the calls again, after a request that the store may not have received. */
  restore(): void
}
