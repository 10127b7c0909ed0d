import { LRUCache } from 'lru-cache'
import type { LeaseChange } from './CountingStore.ts'
import type { MemoryCounters } from './createMemoryLimiter.ts'
import type { Admission, Costs, Window, WindowState } from './Limiter.ts'

const maxSubjects = 50_000

// A lease has at most a hundredth of the smallest window, and windows below 10,000 calls are never leased.
const shareOfWindow = 100
const minLimit = 10_000
const maxCalls = 1000

// A lease lasts for about this long, and exists only for keys with at least 10 calls in this time.
const horizonMs = 50
const minCallsPerHorizon = 10

// A lease that is not used for this long is returned.
const idleMs = 250
// Longer than the clocks of a process and a store drift apart during a window.
const marginMs = 10

/** Returns whether calls in a window can be leased. */
export function isLeasable({ limit }: Pick<Window, 'limit'>): boolean {
  return limit >= minLimit
}

/**
 * Creates the leases of this process: calls of a subject that the store has counted in advance. The process admits them
 * without a request to the store, and returns what it does not use.
 *
 * @param clock a monotonic clock in milliseconds
 */
export function createLeases({ clock, counters, renew }: createLeases.Dependencies): Leases {
  const bySubject = new LRUCache<string, Lease>({ max: maxSubjects })
  let timer: ReturnType<typeof setInterval> | undefined

  function renewSoon(subject: string, lease: Lease): void {
    if (lease.isRenewing) return
    lease.isRenewing = true
    void renew(subject, lease.windows).finally(() => {
      lease.isRenewing = false
    })
  }
  function returnIdle(): void {
    for (const [subject, lease] of bySubject.entries()) {
      if (lease.isUsed) lease.isUsed = false
      else if (lease.left > 0 || lease.spent > 0) renewSoon(subject, lease)
      else bySubject.delete(subject)
    }
    if (bySubject.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  function open(subject: string, windows: readonly Window[], costs: readonly Costs[]): Lease | undefined {
    const existing = bySubject.get(subject)
    if (existing) return beginsWith(windows, existing.windows) ? existing : undefined
    // A request without calls reports those of an outage, and its windows may be others than the windows of the next call.
    const leased = windows.slice(0, costs.find((each) => isEven(each) && each[0] !== 0)?.length ?? 0)
    if (leased.length === 0 || !leased.every(isLeasable)) return undefined
    const lease = new Lease(leased, clock())
    bySubject.set(subject, lease)
    timer ??= setInterval(returnIdle, idleMs).unref()
    return lease
  }
  return {
    admit(subject, windows, costs) {
      const lease = bySubject.get(subject)
      const [cost = 0] = costs
      if (!lease?.covers(windows, costs) || cost > lease.left || clock() >= lease.endsAtMs) return undefined
      const admission = counters.admit(subject, windows, costs)
      if (!admission.isAdmitted) return undefined
      lease.spend(cost)
      if (lease.isLow()) renewSoon(subject, lease)
      return admission
    },
    take: (subject, windows, costs) => open(subject, windows, costs)?.takeChange(costs, clock()),
    settle: (subject, response) => bySubject.get(subject)?.settle(response),
    fail: (subject, change) => bySubject.get(subject)?.fail(change),
    drop() {
      for (const lease of bySubject.values()) lease.left = 0
    },
    countUnreported(subject, { name }) {
      const lease = bySubject.get(subject)
      return lease?.windows.some((window) => window.name === name) ? lease.spent : 0
    },
    async close() {
      clearInterval(timer)
      const held = [...bySubject.entries()].filter(([, { left }]) => left > 0)
      for (const [, lease] of held) lease.isUsed = false
      await Promise.all(held.map(([subject, { windows }]) => renew(subject, windows)))
    },
  }
}

export declare namespace createLeases {
  type Dependencies = {
    readonly clock: () => number
    readonly counters: MemoryCounters
    /** Sends a request without costs to the store, which carries the change of the lease. */
    readonly renew: (subject: string, windows: readonly Window[]) => Promise<unknown>
  }
}

/** The leases of this process. */
export type Leases = {
  /**
   * Admits a request from the lease of its subject, without the store. Returns undefined if the lease has no room, is over, or has
   * other windows.
   */
  admit(subject: string, windows: readonly Window[], costs: Costs): Admission | undefined
  /**
   * Takes the change of a lease that the next request carries to the store; undefined if the windows are too small.
   *
   * @param costs the costs of the request's calls
   */
  take(subject: string, windows: readonly Window[], costs: readonly Costs[]): LeaseChange | undefined
  /** Adds the calls that the store has granted. */
  settle(subject: string, response: LeaseResponse): void
  /** Ends a lease after a request that the store may not have executed. Its unused calls stay counted. */
  fail(subject: string, change: LeaseChange): void
  /** Ends all leases: the store may have lost its counts. */
  drop(): void
  /** Returns the calls in a window that were made from a lease and not reported. */
  countUnreported(subject: string, window: Pick<Window, 'name'>): number
  /** Returns all leases. */
  close(): Promise<void>
}

type LeaseResponse = {
  readonly granted: number
  readonly windowIds: readonly number[]
  readonly states: readonly WindowState[]
  /** When the request was sent: the windows end at least as late as this time and their remaining length say. */
  readonly sentAtMs: number
}

/** The calls of one subject that the store has counted for this process. */
class Lease {
  readonly windows: readonly Window[]
  left = 0
  /** Calls made from the lease that the store does not know of. */
  spent = 0
  endsAtMs = 0
  /** Whether the subject has called since the last check for idle leases. */
  isUsed = true
  isRenewing = false
  readonly #size: number
  // The ids of the windows in which the calls left and the spent calls were granted.
  #windowIds: readonly number[] = []
  // The calls after the last grant.
  #granted = 0
  // All calls of the subject, leased or not, since the demand was measured.
  #calls = 0
  #measuredAtMs: number
  // Calls per horizon.
  #demand = 0

  constructor(windows: readonly Window[], nowMs: number) {
    this.windows = windows
    this.#measuredAtMs = nowMs
    const limit = windows.reduce((least, window) => Math.min(least, window.limit), Infinity)
    this.#size = Math.min(maxCalls, Math.floor(limit / shareOfWindow))
  }
  /** Returns whether a request costs the same in all windows of the lease, and nothing in others. */
  covers(windows: readonly Window[], costs: Costs): boolean {
    const { length } = this.windows
    return windows.length === length && costs.length === length && isEven(costs) && beginsWith(windows, this.windows)
  }
  spend(cost: number): void {
    this.left -= cost
    this.spent += cost
    this.#calls += cost
    this.isUsed = true
  }
  isLow(): boolean {
    return this.left < this.#granted / 2
  }
  takeChange(costs: readonly Costs[], nowMs: number): LeaseChange {
    const calls = costs.reduce((total, [cost = 0]) => total + cost, 0)
    this.#calls += calls
    this.isUsed ||= calls > 0
    this.#measure(nowMs)
    const windowIds = this.left + this.spent > 0 ? this.#windowIds : []
    const returned = this.isUsed && nowMs < this.endsAtMs ? 0 : this.left
    this.left -= returned
    const isWanted = this.isUsed && this.#demand >= minCallsPerHorizon
    const wanted = isWanted ? Math.max(0, Math.min(this.#size, Math.ceil(this.#demand)) - this.left) : 0
    const { spent } = this
    this.spent = 0
    return { windows: this.windows.length, windowIds, spent, returned, wanted }
  }
  settle({ granted, windowIds, states, sentAtMs }: LeaseResponse): void {
    if (granted === 0) return
    this.left += granted
    this.#windowIds = windowIds
    this.#granted = this.left
    const endsInMs = this.windows.map((_, index) => states[index]?.endsInMs ?? 0)
    this.endsAtMs = sentAtMs + Math.min(...endsInMs) - marginMs
  }
  fail({ spent }: LeaseChange): void {
    // The store may have taken the report. Another one is harmless, because these calls are counted in any case.
    this.spent += spent
    this.left = 0
  }
  #measure(nowMs: number): void {
    const elapsedMs = nowMs - this.#measuredAtMs
    if (elapsedMs < horizonMs) return
    this.#demand = (this.#calls * horizonMs) / elapsedMs
    this.#calls = 0
    this.#measuredAtMs = nowMs
  }
}

/** Returns whether a list of windows begins with other windows of the same limits. A limit changes with the tier of a key. */
export function beginsWith(windows: readonly Window[], first: readonly Window[]): boolean {
  return first.every(({ name, limit }, index) => name === windows[index]?.name && limit === windows[index].limit)
}

/** Returns whether a request costs the same in each window. */
function isEven(costs: Costs): boolean {
  return costs.every((cost) => cost === costs[0])
}
