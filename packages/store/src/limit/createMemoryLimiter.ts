import { LRUCache } from 'lru-cache'
import type { Admission, Limiter, Window, WindowState } from './Limiter.ts'

/** Creates a limiter that counts the requests of this process. */
export function createMemoryLimiter(counters = createMemoryCounters(() => performance.now())): MemoryLimiter {
  const reads = new Map<string, Promise<number>>()
  const readNames = new Set<string>()

  // Concurrent requests share one read.
  function readUsed(subject: string, { name, readUsed = async () => 0 }: Window): Promise<number> {
    const id = `${subject} ${name}`
    const read = reads.get(id) ?? readUsed().finally(() => reads.delete(id))
    reads.set(id, read)
    readNames.add(name)
    return read
  }
  const mustRead = (subject: string, window: Window) =>
    window.readUsed !== undefined && !counters.isBegun(subject, window)

  async function begin(subject: string, windows: readonly Window[]): Promise<void> {
    for (const window of windows) {
      if (!mustRead(subject, window)) continue
      const used = await readUsed(subject, window)
      // A concurrent request may have begun the window and counted meanwhile.
      if (used === 0 || counters.isBegun(subject, window)) continue
      counters.set(subject, window, { used, endsInMs: window.lengthMs })
    }
  }
  return {
    hold: createMemoryHolds(),
    begin,
    readAgain() {
      for (const name of readNames) counters.forget(name)
      readNames.clear()
    },
    admit(subject, windows, cost = 1) {
      const isBegun = !windows.some((window) => mustRead(subject, window))
      if (isBegun) return counters.admit(subject, windows, cost)
      return begin(subject, windows).then(() => counters.admit(subject, windows, cost))
    },
    getWindowState: (subject, window) =>
      counters.getWindowStates(subject, [window])[0] ?? { used: 0, endsInMs: window.lengthMs },
    state: () => 'local',
    saveCounts: counters.save,
    close: async () => {},
  }
}

/** A limiter that counts in this process. */
export type MemoryLimiter = Limiter & {
  /** Begins windows with the calls that were made before this process started counting. */
  begin(subject: string, windows: readonly Window[]): Promise<void>
  /** Forgets the windows with calls from before this process started, so that their next request reads these calls again. */
  readAgain(): void
}

/** Counts the places that subjects hold in this process. */
export function createMemoryHolds(): Limiter['hold'] {
  const counts = new Map<string, number>()
  return async (subject, limit) => {
    const count = counts.get(subject) ?? 0
    if (count >= limit) return undefined
    counts.set(subject, count + 1)
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      const left = (counts.get(subject) ?? 1) - 1
      if (left > 0) counts.set(subject, left)
      else counts.delete(subject)
    }
  }
}

type Counter = { used: number; readonly endsAtMs: number }

type SavedCounter = readonly [subject: string, counter: Counter]

/**
 * Counts the calls in windows in memory, for at most `max` subjects per window name. Beyond that, the least recently used
 * subject of the same window name is evicted.
 *
 * @param now a monotonic clock in milliseconds
 */
export function createMemoryCounters(now: () => number, max = 50_000) {
  const byWindow = new Map<string, LRUCache<string, Counter>>()
  function countersOf({ name }: Window): LRUCache<string, Counter> {
    const existing = byWindow.get(name)
    if (existing) return existing
    const counters = new LRUCache<string, Counter>({ max })
    byWindow.set(name, counters)
    return counters
  }
  function find(subject: string, window: Window, nowMs: number): Counter | undefined {
    const counter = countersOf(window).get(subject)
    return counter && nowMs < counter.endsAtMs ? counter : undefined
  }
  const toState = ({ lengthMs }: Window, counter: Counter | undefined, nowMs: number): WindowState =>
    counter ? { used: counter.used, endsInMs: counter.endsAtMs - nowMs } : { used: 0, endsInMs: lengthMs }
  return {
    /** Returns the state of each window. */
    getWindowStates(subject: string, windows: readonly Window[]): readonly WindowState[] {
      const nowMs = now()
      return windows.map((window) => toState(window, find(subject, window, nowMs), nowMs))
    },
    /** Returns whether a window has begun and has not ended. */
    isBegun: (subject: string, window: Window) => find(subject, window, now()) !== undefined,
    /** Counts a request in all its windows, or in none if a window is full. */
    admit(subject: string, windows: readonly Window[], cost: number): Admission {
      const nowMs = now()
      const found = windows.map((window) => find(subject, window, nowMs))
      const isAdmitted = windows.every((window, index) => fits(window, found[index]?.used, cost))
      const states = windows.map((window, index) => {
        const counter = found[index]
        if (!isAdmitted || cost === 0) return toState(window, counter, nowMs)
        if (counter) counter.used += cost
        else countersOf(window).set(subject, { used: cost, endsAtMs: nowMs + window.lengthMs })
        return toState(window, counter ?? find(subject, window, nowMs), nowMs)
      })
      return { isAdmitted, states }
    },
    /** Replaces the state of a window. */
    set(subject: string, window: Window, { used, endsInMs }: WindowState): void {
      countersOf(window).set(subject, { used, endsAtMs: now() + endsInMs })
    },
    /** Removes the windows of a name. */
    forget: (name: string) => void byWindow.delete(name),
    /** Saves all windows, and returns a function that brings them back any number of times. Each keeps its end. */
    save(): () => void {
      const copy = (entries: readonly SavedCounter[]) =>
        entries.map(([subject, counter]) => [subject, { ...counter }] as const)
      // An LRU cache lists its newest entry first.
      const saved = [...byWindow].map(([name, counters]) => [name, copy([...counters].toReversed())] as const)
      return () => {
        byWindow.clear()
        for (const [name, entries] of saved) {
          const counters = new LRUCache<string, Counter>({ max })
          for (const [subject, counter] of copy(entries)) counters.set(subject, counter)
          byWindow.set(name, counters)
        }
      }
    },
  }
}

/** Returns whether a window has room for a cost. */
export function fits({ limit }: Window, used = 0, cost: number): boolean {
  return used + cost <= limit
}

/** The counts of windows in this process. */
export type MemoryCounters = ReturnType<typeof createMemoryCounters>
