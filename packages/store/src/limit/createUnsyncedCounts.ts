import { createMemoryCounters } from './createMemoryCounters.ts'
import type { Window, WindowState } from './Limiter.ts'

/**
 * Keeps what was admitted here and Redis has not heard of, until its windows end.
 *
 * @param now a clock in milliseconds that never goes back
 */
export function createUnsyncedCounts(now: () => number): UnsyncedCounts {
  const owed = createMemoryCounters(now)
  return {
    isOwing: (subject, windows) => owed.read(subject, windows).some(({ used }) => used > 0),
    add(subject, windows, calls) {
      for (const [index, { name }] of windows.entries()) {
        const { used, endsInMs } = calls[index] as WindowState
        if (used > 0) owed.admit(subject, [{ name, limit: Number.POSITIVE_INFINITY, lengthMs: endsInMs }], used)
      }
    },
    take(subject, windows) {
      const calls = owed.read(subject, windows)
      for (const window of windows) owed.set(subject, window, { used: 0, endsInMs: 0 })
      return calls
    },
  }
}

export type UnsyncedCounts = {
  isOwing(subject: string, windows: readonly Window[]): boolean
  /** Adds calls to what is owed of each window. */
  add(subject: string, windows: readonly Window[], calls: readonly WindowState[]): void
  /** What is owed of each window, which is then no longer here. */
  take(subject: string, windows: readonly Window[]): readonly WindowState[]
}
