import { LRUCache } from 'lru-cache'
import type { Admission, Window, WindowState } from './Limiter.ts'

type Counter = { used: number; readonly endsAtMs: number }

/**
 * Counts windows in memory, for at most `max` subjects per window name: the least recently used are evicted first, and
 * never for a window of another name.
 *
 * @param now a monotonic clock in milliseconds
 */
export function createMemoryCounters(now: () => number, max = 50_000): MemoryCounters {
  const byWindow = new Map<string, LRUCache<string, Counter>>()
  function countersOf({ name }: Window): LRUCache<string, Counter> {
    const known = byWindow.get(name)
    if (known) return known
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
    read(subject, windows) {
      const nowMs = now()
      return windows.map((window) => toState(window, find(subject, window, nowMs), nowMs))
    },
    isBegun: (subject, window) => find(subject, window, now()) !== undefined,
    admit(subject, windows, cost) {
      const nowMs = now()
      const found = windows.map((window) => find(subject, window, nowMs))
      const isAdmitted = windows.every(({ limit }, index) => (found[index]?.used ?? 0) + cost <= limit)
      const states = windows.map((window, index) => {
        const counter = found[index]
        if (!isAdmitted) return toState(window, counter, nowMs)
        if (counter) counter.used += cost
        else countersOf(window).set(subject, { used: cost, endsAtMs: nowMs + window.lengthMs })
        return toState(window, counter ?? find(subject, window, nowMs), nowMs)
      })
      return { isAdmitted, states }
    },
    set(subject, window, { used, endsInMs }) {
      countersOf(window).set(subject, { used, endsAtMs: now() + endsInMs })
    },
  }
}

export type MemoryCounters = {
  /** Returns the state of each window. */
  read(subject: string, windows: readonly Window[]): readonly WindowState[]
  /** Whether a window has begun and has not ended. */
  isBegun(subject: string, window: Window): boolean
  /** Counts a request in all of its windows, or in none if one of them has no room. */
  admit(subject: string, windows: readonly Window[], cost: number): Admission
  /** Replaces the state of a window. */
  set(subject: string, window: Window, state: WindowState): void
}
