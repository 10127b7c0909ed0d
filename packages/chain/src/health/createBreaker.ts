/** Counts a node's faults in a row, and opens at a limit. */
export function createBreaker({ getLimit, now = () => performance.now() }: createBreaker.Settings): Breaker {
  let weight = 0
  let countedAtMs = -Infinity
  return {
    add(fault) {
      // Requests that are in flight together, such as a batch or a burst, fail together for one reason. They count
      // once.
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
    /** Returns the weight of consecutive faults that opens the breaker. */
    readonly getLimit: () => number
    readonly now?: (() => number) | undefined
  }
}

export type Breaker = {
  /** Counts a fault. @returns whether this opens the breaker */
  add(fault: Fault): boolean
  /** Resets the count, after a successful request. */
  clear(): void
}

/** When the failed request was sent, and how much its fault weighs. */
export type Fault = { readonly startedAtMs: number; readonly weight: number }
