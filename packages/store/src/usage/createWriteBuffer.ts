import type { Month } from '@agio/core'

/** How often one operation was called with one key in one month. */
export type Count = {
  readonly keyId: string
  readonly month: Month.Month
  readonly operation: string
  readonly calls: number
  readonly refused: number
  /** When it was last admitted; undefined if it was only refused. */
  readonly lastCallAtMs: number | undefined
}

/** Adds counts up in memory, for no more than `max` different keys, months and operations. */
export function createWriteBuffer(max: number): WriteBuffer {
  let counts = new Map<string, { -readonly [Field in keyof Count]: Count[Field] }>()
  return {
    get size() {
      return counts.size
    },
    add(count) {
      const id = `${count.keyId} ${count.month} ${count.operation}`
      const known = counts.get(id)
      if (known) {
        known.calls += count.calls
        known.refused += count.refused
        known.lastCallAtMs = count.lastCallAtMs ?? known.lastCallAtMs
        return true
      }
      if (counts.size >= max) return false
      counts.set(id, { ...count })
      return true
    },
    take() {
      const taken = [...counts.values()]
      counts = new Map()
      return taken
    },
    sumCalls: () => sumCalls([...counts.values()]),
  }
}

/** The admitted calls among some counts. */
export function sumCalls(counts: readonly Pick<Count, 'calls'>[]): number {
  return counts.reduce((total, { calls }) => total + calls, 0)
}

export type WriteBuffer = {
  readonly size: number
  /** Tells whether there was room for it. */
  add(count: Count): boolean
  /** All counts, which are then no longer here. */
  take(): readonly Count[]
  sumCalls(): number
}
