import type { CountingStore, KnownCount } from './CountingStore.ts'
import type { MemoryCounters } from './createMemoryLimiter.ts'
import type { Window, WindowState } from './Limiter.ts'
import { withTimeout } from './withTimeout.ts'

const intervalMs = 250
// No request waits for this response.
const exchangeTimeoutMs = 1000

// A shorter window ends before it helps to know its count.
const minLengthMs = 10_000
// More than a count is on its way.
const toleranceMs = 1000
const maxPending = 10_000
const maxCounts = 500

/**
 * Exchanges the counts that requests of this process have learnt with those of the other processes, so that each knows what
 * is left of a window although none of its own requests has used it, should the store become unavailable.
 */
export function createCountExchange({ store, counters, isAvailable }: createCountExchange.Parts): CountExchange {
  const pending = new Map<string, readonly Window[]>()
  let isStopped = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function readCounts(subjects: readonly Pending[]): readonly KnownCount[] {
    return subjects.flatMap(([subject, windows]) =>
      counters.read(subject, windows).flatMap(({ used, endsInMs }, index) => {
        const { name, lengthMs } = windows[index] as Window
        return used > 0 && lengthMs >= minLengthMs ? [{ subject, window: name, used, endsInMs }] : []
      }),
    )
  }
  // The counts of a late response are learnt too: the store does not return them again.
  async function send(subjects: readonly Pending[]): Promise<void> {
    for (const count of await store.exchange(readCounts(subjects))) learn(counters, count)
  }
  async function exchange(): Promise<void> {
    const taken = [...pending].slice(0, maxCounts)
    for (const [subject] of taken) pending.delete(subject)
    try {
      await withTimeout(send(taken), exchangeTimeoutMs)
    } catch {
      // The next request, or the next probe, finds out whether the store is unavailable. It may not have received the counts.
      for (const [subject, windows] of taken) if (!pending.has(subject)) pending.set(subject, windows)
    }
  }
  function schedule(): void {
    if (isStopped) return
    timer = setTimeout(() => void (isAvailable() ? exchange() : Promise.resolve()).finally(schedule), intervalMs)
  }
  schedule()
  return {
    add(subject, windows) {
      if (pending.size < maxPending) pending.set(subject, windows)
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

export declare namespace createCountExchange {
  type Parts = {
    readonly store: Pick<CountingStore, 'exchange'>
    readonly counters: MemoryCounters
    /** Whether the store is available. */
    readonly isAvailable: () => boolean
  }
}

type Pending = readonly [subject: string, windows: readonly Window[]]

export type CountExchange = {
  /** Notes that the counts of a subject have changed, to be sent with the next exchange. */
  add(subject: string, windows: readonly Window[]): void
  stop(): void
}

function learn(counters: MemoryCounters, { subject, window: name, used, endsInMs }: KnownCount): void {
  const window = { name, limit: used, lengthMs: endsInMs }
  // The window may end somewhat earlier than the count says. The store decides then.
  if (!counters.isBegun(subject, window)) {
    if (endsInMs > toleranceMs) counters.set(subject, window, { used, endsInMs: endsInMs - toleranceMs / 2 })
    return
  }
  const known = counters.read(subject, [window])[0] as WindowState
  const isSame = Math.abs(known.endsInMs - endsInMs) < toleranceMs
  if (isSame && used > known.used) counters.set(subject, window, { used, endsInMs: known.endsInMs })
}
