import { LRUCache } from 'lru-cache'
import type { Attempt } from './CountingStore.ts'
import { createMemoryCounters } from './createMemoryCounters.ts'
import type { Window, WindowState } from './Limiter.ts'

const maxSubjects = 50_000

/**
 * Keeps the calls that this process admitted and a store has not counted, or may not have counted, until their windows end.
 *
 * @param now a monotonic clock in milliseconds
 */
export function createUnsyncedCounts(now: () => number): UnsyncedCounts {
  const counters = createMemoryCounters(now, maxSubjects)
  const attempts = new LRUCache<string, readonly UnknownOutcome[]>({ max: maxSubjects })
  // Most processes never see an outage.
  let hasAny = false
  const attemptsOf = (subject: string) => attempts.get(subject) ?? []
  const toUsed = ({ calls }: UnknownOutcome, { name }: Window) => {
    const counted = calls.get(name)
    return counted && now() < counted.endsAtMs ? counted.used : 0
  }
  function add(subject: string, windows: readonly Window[], calls: readonly WindowState[]): void {
    for (const [index, { name }] of windows.entries()) {
      const { used, endsInMs } = calls[index] as WindowState
      if (used > 0) hasAny = true
      if (used > 0) counters.admit(subject, [{ name, limit: Number.POSITIVE_INFINITY, lengthMs: endsInMs }], used)
    }
  }
  function addAttempt(subject: string, windows: readonly Window[], { number, calls }: UnansweredRequest): void {
    hasAny = true
    const counted = windows.map(({ name }, index) => {
      const { used, endsInMs } = calls[index] as WindowState
      return [name, { used, endsAtMs: now() + endsInMs }] as const
    })
    attempts.set(subject, [...attemptsOf(subject), { number, calls: new Map(counted) }])
  }
  const count = (subject: string, windows: readonly Window[]) => {
    const known = counters.read(subject, windows)
    const unknown = attemptsOf(subject)
    return windows.map((window, index) =>
      unknown.reduce((total, attempt) => total + toUsed(attempt, window), known[index]?.used ?? 0),
    )
  }
  return {
    add,
    count,
    has: (subject, windows) => hasAny && count(subject, windows).some((calls) => calls > 0),
    addAttempt,
    take(subject, windows) {
      if (!hasAny) return nothing
      const calls = counters.read(subject, windows)
      for (const window of windows) counters.set(subject, window, { used: 0, endsInMs: 0 })
      const taken = attemptsOf(subject)
      attempts.delete(subject)
      return {
        calls,
        attempts: taken.map((one) => ({ number: one.number, calls: windows.map((window) => toUsed(one, window)) })),
        restore(number) {
          if (taken.length > 0) attempts.set(subject, [...taken, ...attemptsOf(subject)])
          if (calls.some(({ used }) => used > 0)) addAttempt(subject, windows, { number, calls })
        },
      }
    },
  }
}

/** An attempt, by window name. */
type UnknownOutcome = {
  readonly number: number
  readonly calls: ReadonlyMap<string, { readonly used: number; readonly endsAtMs: number }>
}

const nothing: Taken = { calls: [], attempts: [], restore: () => {} }

export type UnsyncedCounts = {
  /** Adds calls that the store has not counted to those of each window. */
  add(subject: string, windows: readonly Window[], calls: readonly WindowState[]): void
  /** Adds the calls of a request to the store that was not answered. */
  addAttempt(subject: string, windows: readonly Window[], attempt: UnansweredRequest): void
  /** Returns the unsynced calls of each window, those of attempts included. */
  count(subject: string, windows: readonly Window[]): readonly number[]
  /** Whether a subject has unsynced calls in any of the windows. */
  has(subject: string, windows: readonly Window[]): boolean
  /** Removes and returns the unsynced calls of each window and the attempts of the subject. */
  take(subject: string, windows: readonly Window[]): Taken
}

type UnansweredRequest = { readonly number: number; readonly calls: readonly WindowState[] }

type Taken = {
  readonly calls: readonly WindowState[]
  readonly attempts: readonly Attempt[]
  /** Puts the attempts back, and the calls as those of a request with this number that was not answered. */
  restore(number: number): void
}
