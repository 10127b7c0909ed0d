import { dropReasons, type CallRecord, type DropReason } from './LoggedCall.ts'

// A key that exceeds these rates repeats itself.
const maxFrequentPerSecond = 10

/**
 * Creates the buffer of calls that are not written yet. It keeps at most ten successful reads and ten refusals by a limit
 * per key and second, and all other calls while it has room. Successful reads only fill its first half.
 *
 * @param max the largest number of calls
 */
export function createCallBuffer(max: number) {
  let calls: CallRecord[] = []
  let second = 0
  const counts = { read: new Map<string, number>(), limited: new Map<string, number>() }
  const dropped = new Map<DropReason, number>(dropReasons.map((reason) => [reason, 0]))

  function drop(reason: DropReason, count = 1): void {
    dropped.set(reason, (dropped.get(reason) ?? 0) + count)
  }
  function isBelowRate(keyId: string, kind: 'read' | 'limited', nowMs: number): boolean {
    const current = Math.floor(nowMs / 1000)
    if (current !== second) {
      second = current
      counts.read.clear()
      counts.limited.clear()
    }
    const count = counts[kind].get(keyId) ?? 0
    if (count >= maxFrequentPerSecond) return false
    counts[kind].set(keyId, count + 1)
    return true
  }
  return {
    get size(): number {
      return calls.length
    },
    /** Returns whether a call of a key may be added now. Counts the call as dropped if not. */
    admit(keyId: string, kind: CallKind, nowMs: number): boolean {
      if (kind !== 'other' && !isBelowRate(keyId, kind, nowMs)) {
        drop('sampled')
        return false
      }
      if (calls.length < (kind === 'read' ? max / 2 : max)) return true
      drop('full')
      return false
    },
    /** Adds an admitted call. */
    add: (call: CallRecord) => void calls.push(call),
    /** Removes and returns the oldest calls. */
    take(count: number): readonly CallRecord[] {
      const taken = calls.slice(0, count)
      calls = calls.slice(count)
      return taken
    },
    /** Counts calls that were dropped after they had been taken. */
    drop,
    /** Returns the dropped calls since the start. */
    countDropped: (reason: DropReason) => dropped.get(reason) ?? 0,
  }
}

/** How often calls of a kind may repeat: a successful read, a refusal by a limit, or any other call. */
export type CallKind = 'read' | 'limited' | 'other'

/** Calls in memory that are not written yet. */
export type CallBuffer = ReturnType<typeof createCallBuffer>
