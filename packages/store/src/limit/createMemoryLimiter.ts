import { createMemoryHolds } from './createHolds.ts'
import { createMemoryCounters } from './createMemoryCounters.ts'
import type { Limiter, Window } from './Limiter.ts'

/** Limits requests by the counts of this process. */
export function createMemoryLimiter(counters = createMemoryCounters(() => performance.now())): MemoryLimiter {
  const reads = new Map<string, Promise<number>>()

  // Concurrent requests share one read.
  function readUsed(subject: string, { name, readUsed = async () => 0 }: Window): Promise<number> {
    const id = `${subject} ${name}`
    const read = reads.get(id) ?? readUsed().finally(() => reads.delete(id))
    reads.set(id, read)
    return read
  }
  const mustRead = (subject: string, window: Window) =>
    window.readUsed !== undefined && !counters.isBegun(subject, window)

  async function begin(subject: string, windows: readonly Window[]): Promise<void> {
    for (const window of windows) {
      if (!mustRead(subject, window)) continue
      const used = await readUsed(subject, window)
      // A concurrent request may have begun the window, and counted since.
      if (used === 0 || counters.isBegun(subject, window)) continue
      counters.set(subject, window, { used, endsInMs: window.lengthMs })
    }
  }
  return {
    hold: createMemoryHolds().hold,
    begin,
    admit(subject, windows, cost = 1) {
      const isBegun = !windows.some((window) => mustRead(subject, window))
      if (isBegun) return counters.admit(subject, windows, cost)
      return begin(subject, windows).then(() => counters.admit(subject, windows, cost))
    },
    read: (subject, window) => counters.read(subject, [window])[0] ?? { used: 0, endsInMs: window.lengthMs },
    state: () => 'local',
    close: async () => {},
  }
}

export type MemoryLimiter = Limiter & {
  /** Begins windows with the calls made before this process started counting. */
  begin(subject: string, windows: readonly Window[]): Promise<void>
}
