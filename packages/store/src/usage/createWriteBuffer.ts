import type { Day } from '@agio/core'

/** The calls of one operation with one key on one day. */
export type Count = {
  readonly keyId: string
  readonly day: Day.Day
  readonly operation: string
  readonly calls: number
  readonly refused: number
  /** When a call was last admitted; undefined if all were refused. */
  readonly lastCallAtMs: number | undefined
}

/** Sums counts in memory, for at most `max` combinations of key, day and operation. */
export function createWriteBuffer(max: number) {
  let counts = new Map<string, { -readonly [Field in keyof Count]: Count[Field] }>()
  return {
    get size(): number {
      return counts.size
    },
    /** Adds a count. Drops it and returns false if the buffer is full. */
    add(count: Count): boolean {
      const id = `${count.keyId} ${count.day} ${count.operation}`
      const existing = counts.get(id)
      if (existing) {
        existing.calls += count.calls
        existing.refused += count.refused
        existing.lastCallAtMs = count.lastCallAtMs ?? existing.lastCallAtMs
        return true
      }
      if (counts.size >= max) return false
      counts.set(id, { ...count })
      return true
    },
    /** Removes and returns all counts. */
    take(): readonly Count[] {
      const taken = [...counts.values()]
      counts = new Map()
      return taken
    },
    /** Returns the admitted calls in the buffer. */
    sumCalls: () => sumCalls([...counts.values()]),
  }
}

/** Returns the sum of the admitted calls. */
export function sumCalls(counts: readonly Pick<Count, 'calls'>[]): number {
  return counts.reduce((total, { calls }) => total + calls, 0)
}

/** Counts in memory that are not written yet. */
export type WriteBuffer = ReturnType<typeof createWriteBuffer>
