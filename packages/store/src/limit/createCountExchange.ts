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
  const pending = new Map<string, Pending>()
  let isStopped = false
  let timer: ReturnType<typeof setTimeout> | undefined

  function readCounts(taken: readonly Pending[]): readonly KnownCount[] {
    const counts = taken.flatMap(({ subject, window }) =>
      counters.read(subject, [window]).map((state) => ({ subject, window: window.name, ...state })),
    )
    return counts.filter(({ used }) => used > 0)
  }
  // The counts of a late response are learnt too: the store does not return them again.
  async function send(taken: readonly Pending[]): Promise<void> {
    for (const count of await store.exchange(readCounts(taken))) learn(counters, count)
  }
  async function exchange(): Promise<void> {
    const taken = [...pending.entries().take(maxCounts)]
    for (const [id] of taken) pending.delete(id)
    try {
      const sent = send(taken.map(([, count]) => count))
      await withTimeout(sent, exchangeTimeoutMs)
    } catch {
      // The next request, or the next probe, finds out whether the store is unavailable. It may not have received the counts.
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
  type Parts = {
    readonly store: Pick<CountingStore, 'exchange'>
    readonly counters: MemoryCounters
    /** Whether the store is available. */
    readonly isAvailable: () => boolean
  }
}

/** A count that has changed since it was last sent. */
type Pending = { readonly subject: string; readonly window: Window }

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
