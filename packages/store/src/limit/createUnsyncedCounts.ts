import { createMemoryCounters } from './createMemoryCounters.ts'
import type { Window, WindowState } from './Limiter.ts'

/**
 * Keeps the calls that this process admitted and a store has not counted, until their windows end.
 *
 * @param now a monotonic clock in milliseconds
 */
export function createUnsyncedCounts(now: () => number): UnsyncedCounts {
  const counters = createMemoryCounters(now)
  return {
    has: (subject, windows) => counters.read(subject, windows).some(({ used }) => used > 0),
    add(subject, windows, calls) {
      for (const [index, { name }] of windows.entries()) {
        const { used, endsInMs } = calls[index] as WindowState
        if (used > 0) counters.admit(subject, [{ name, limit: Number.POSITIVE_INFINITY, lengthMs: endsInMs }], used)
      }
    },
    take(subject, windows) {
      const calls = counters.read(subject, windows)
      for (const window of windows) counters.set(subject, window, { used: 0, endsInMs: 0 })
      return calls
    },
  }
}

export type UnsyncedCounts = {
  /** Whether a subject has unsynced calls in any of the windows. */
  has(subject: string, windows: readonly Window[]): boolean
  /** Adds calls to the unsynced calls of each window. */
  add(subject: string, windows: readonly Window[], calls: readonly WindowState[]): void
  /** Removes and returns the unsynced calls of each window. */
  take(subject: string, windows: readonly Window[]): readonly WindowState[]
}
