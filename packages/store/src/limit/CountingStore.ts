import type { Admission, WindowState } from './Limiter.ts'

/**
 * A store outside this process that counts windows for all processes.
 *
 * While the connection is not open, every request to the store rejects at once.
 */
export type CountingStore = {
  /** Name of the store in log messages. */
  readonly name: string
  /**
   * Opens the connection, and retries in the background until it is open.
   *
   * @param onError receives each failure of the connection
   */
  connect(onError: (error: unknown) => void): Promise<void>
  /**
   * Counts requests in turn. Each request counts in all windows, or in none if a window is full.
   *
   * @throws `Error` if the store has already executed a request of the same process and subject with this number or a
   * higher number. The store then counts nothing
   */
  admit(request: CountingRequest): Promise<CountedRequests>
  /** Holds a member unless its subject has reached its limit. Returns whether the member is held. */
  hold(request: HoldRequest): Promise<boolean>
  /** Releases a member of this process. */
  release(held: Pick<HoldRequest, 'subject' | 'member'>): Promise<void>
  /** Replaces an open connection that does not respond. Keeps a connection that is being opened. */
  reconnect(): Promise<void>
  /** Closes the connection, and rejects the requests on it. Closing twice is allowed. */
  close(): void
}

/** Requests of one subject that are counted together. */
export type CountingRequest = {
  /** Owner of the windows. */
  readonly subject: string
  readonly windows: readonly SharedWindow[]
  /** What each request counts, in the order of admission. */
  readonly costs: readonly number[]
  /** Higher than the number of every earlier request of this process for the subject. */
  readonly number: number
}

/** The outcome of requests that a store has counted together. */
export type CountedRequests = {
  /** The admission of each request. */
  readonly admissions: readonly Admission[]
  /** The windows after the requests. */
  readonly states: readonly WindowState[]
}

/** A window in a store, with this process's view of it. */
type SharedWindow = {
  readonly name: string
  readonly limit: number
  /** Milliseconds until the window ends, by this process's view. */
  readonly lengthMs: number
  /**
   * Calls in the window that this process knows of. A store with a lower count continues from this number, unless the window ends
   * within the next 250 ms: the store may have begun the next window already.
   */
  readonly knownUsed: number
}

/** A member that a process holds. The store releases it after `ttlMs`, unless the process renews it. */
export type HoldRequest = {
  /** Owner of the member. */
  readonly subject: string
  /** Name of the member, unique among the members that this process holds for the subject. */
  readonly member: string
  /** How many members the subject may hold; undefined to renew a held member. */
  readonly limit: number | undefined
  readonly ttlMs: number
}
