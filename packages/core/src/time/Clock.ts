/**
 * The time that the callers of a service see: the expiry of quotes, windows of limits, months and due times. Leases,
 * time-outs and circuits use the system's clock instead, because they measure what really happens.
 */
export type Clock = {
  /** Returns the wall-clock time, in milliseconds since 1970. */
  readonly now: () => number
  /** Returns the monotonic time, in milliseconds. */
  readonly monotonicMs: () => number
}

/** A clock whose missing parts are the system's. */
export type Options = { readonly [Part in keyof Clock]?: Clock[Part] | undefined }

/** Creates a clock that follows the system's clock, and that a local stack can move ahead of it. */
export function createMovable(): MovableClock {
  let aheadMs = 0
  return {
    now: () => Date.now() + aheadMs,
    monotonicMs: () => performance.now() + aheadMs,
    aheadMs: () => aheadMs,
    moveAhead(ms) {
      if (ms < aheadMs) throw new RangeError(`Cannot move the clock ${ms} ms ahead: it is ${aheadMs} ms ahead already`)
      aheadMs = ms
    },
  }
}

/** A clock that is ahead of the system's clock by a time that only grows. */
export type MovableClock = Clock & {
  /** Returns how far the clock is ahead of the system's clock, in milliseconds. */
  readonly aheadMs: () => number
  /**
   * Moves the clock ahead of the system's clock, for everything that uses it.
   *
   * @param ms the new lead over the system's clock, in milliseconds
   * @throws `RangeError` if the clock is further ahead already
   */
  readonly moveAhead: (ms: number) => void
}
