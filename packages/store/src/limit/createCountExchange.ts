import type { CountingStore, SharedCount } from './CountingStore.ts'
import type { MemoryCounters } from './createMemoryLimiter.ts'
import type { Window, WindowState } from './Limiter.ts'
import { withTimeout } from '../response/withTimeout.ts'

const intervalMs = 250
// No request waits for this response.
const exchangeTimeoutMs = 1000

// In a shorter window, a count would arrive too late to be useful.
const minLengthMs = 10_000
// Longer than a count takes to arrive.
const toleranceMs = 1000
const maxPending = 10_000
const maxCounts = 500

/**
 * Exchanges the counts of this process with the counts of the other processes. If the store becomes unavailable, each
 * process knows the remaining calls of a window, even if its own requests have not used the window.
 */
export function createCountExchange({ store, counters, isAvailable }: createCountExchange.Dependencies): CountExchange {
  const pending = new Map<string, Pending>()
  let isStopped = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function listCounts(taken: readonly Pending[]): readonly SharedCount[] {
    const counts = taken.flatMap(({ subject, window }) =>
      counters.getWindowStates(subject, [window]).map((state) => ({ subject, window: window.name, ...state })),
    )
    return counts.filter(({ used }) => used > 0)
  }
  // A late response is used too: the store does not return its counts again.
  async function send(taken: readonly Pending[]): Promise<void> {
    for (const count of await store.exchange(listCounts(taken))) applySharedCount(counters, count)
  }
  async function exchange(): Promise<void> {
    const taken = [...pending.entries().take(maxCounts)]
    for (const [id] of taken) pending.delete(id)
    try {
      const sent = send(taken.map(([, count]) => count))
      await withTimeout(sent, exchangeTimeoutMs)
    } catch {
      // The store may not have received the counts, so they are sent again. The next request or probe shows whether the
      // store is unavailable.
      for (const [id, count] of taken) pending.set(id, count)
    }
  }
  function schedule(): void {
    if (isStopped) return
    timer = setTimeout(() => void (isAvailable() ? exchange() : Promise.resolve()).finally(schedule), intervalMs)
  }
  schedule()
  return {
    add(subject, windows) {
      for (const window of windows) {
        if (window.lengthMs < minLengthMs || pending.size >= maxPending) continue
        pending.set(`${subject} ${window.name}`, { subject, window })
      }
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

export declare namespace createCountExchange {
  type Dependencies = {
    readonly store: Pick<CountingStore, 'exchange'>
    readonly counters: MemoryCounters
    /** Whether the store is available. */
    readonly isAvailable: () => boolean
  }
}

/** A count that has changed since it was last sent. */
type Pending = { readonly subject: string; readonly window: Window }

/** Sends the counts of this process to the store, and receives the counts of all processes. */
export type CountExchange = {
  /** Schedules the changed counts of a subject for the next exchange. */
  add(subject: string, windows: readonly Window[]): void
  stop(): void
}

function applySharedCount(counters: MemoryCounters, { subject, window: name, used, endsInMs }: SharedCount): void {
  const window = { name, limit: used, lengthMs: endsInMs }
  // A count takes a while to arrive, so this process ends the window slightly early. After that, the store decides.
  if (!counters.isBegun(subject, window)) {
    if (endsInMs > toleranceMs) counters.set(subject, window, { used, endsInMs: endsInMs - toleranceMs / 2 })
    return
  }
  const state = counters.getWindowStates(subject, [window])[0] as WindowState
  const isSame = Math.abs(state.endsInMs - endsInMs) < toleranceMs
  if (isSame && used > state.used) counters.set(subject, window, { used, endsInMs: state.endsInMs })
}
