import { LRUCache } from 'lru-cache'
import type { Admission, Window, WindowState } from './Limiter.ts'

type Counter = { used: number; readonly endsAtMs: number }

/**
 * Counts windows in memory, of no more than `max` subjects for each window's name: the least used go first, and those of
 * one name never for those of another.
 *
 * @param now a clock in milliseconds that never goes back
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
  read(subject: string, windows: readonly Window[]): readonly WindowState[]
  /** Whether anything is known of a window. */
  isBegun(subject: string, window: Window): boolean
  admit(subject: string, windows: readonly Window[], cost: number): Admission
  /** Takes over what is known of a window. */
  set(subject: string, window: Window, state: WindowState): void
}
