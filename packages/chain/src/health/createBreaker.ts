/** Counts a node's faults in a row, and tells when it is to be left alone. */
export function createBreaker({ getLimit, now = () => performance.now() }: createBreaker.Settings): Breaker {
  let weight = 0
  let countedAtMs = -Infinity
  return {
    add(fault) {
      // What was under way together fails together, by one cause: a batch, or a burst of callers. It counts once.
      if (fault.startedAtMs < countedAtMs) return false
      countedAtMs = now()
      weight += fault.weight
      return weight >= getLimit()
    },
    clear: () => (weight = 0),
  }
}

export declare namespace createBreaker {
  type Settings = {
    /** The weight of faults in a row that opens it. */
    readonly getLimit: () => number
    readonly now?: (() => number) | undefined
  }
}

export type Breaker = {
  /**
   * Counts a fault.
   *
   * @param fault when the call began that met it, and how much it weighs
   * @returns whether this opens it
   */
  add(fault: { readonly startedAtMs: number; readonly weight: number }): boolean
  /** Forgets them: the node has answered. */
  clear(): void
}
