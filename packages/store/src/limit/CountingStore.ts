import type { Admission } from './Limiter.ts'

/**
 * A store outside of this process that counts windows for all processes.
 *
 * While the connection is not open, every request to the store rejects at once.
 */
export type CountingStore = {
  /** Name of the store in log messages. */
  readonly name: string
  /**
   * Opens the connection, and keeps trying in the background until one is open.
   *
   * @param onError receives each failure of the connection
   */
  connect(onError: (error: unknown) => void): Promise<void>
  /**
   * Counts requests in turn, each in all of the windows, or in none if one of them has no room.
   *
   * @throws `Error` if the store has executed a request of the same process and subject with this number or a higher one; it
   * then counts nothing
   */
  admit(request: CountingRequest): Promise<CountedRequests>
  /**
   * Sends counts to the other processes.
   *
   * @returns the counts that other processes have sent since the last call
   */
  exchange(counts: readonly KnownCount[]): Promise<readonly KnownCount[]>
  /** Holds a member unless its subject holds as many as it may, and returns whether it does. */
  hold(request: HoldRequest): Promise<boolean>
  /** Releases a member of this process. */
  release(held: Pick<HoldRequest, 'subject' | 'member'>): Promise<void>
  /** Replaces an open connection that does not respond. A connection that is still being opened is kept. */
  reconnect(): Promise<void>
  /** Closes the connection, and rejects the requests on it. Closing twice is allowed. */
  close(): void
}

/** Requests of one subject that are counted together. */
export type CountingRequest = {
  /** Owner of the windows. */
  readonly subject: string
  readonly windows: readonly SharedWindow[]
  /** Number of calls in each request, in the order in which they are admitted. */
  readonly costs: readonly number[]
  /** Higher than the number of every earlier request of this process for the subject. */
  readonly number: number
}

/** The outcome of requests that a store has counted together. */
export type CountedRequests = {
  /** The admission of each request. */
  readonly admissions: readonly Admission[]
  /** Number of the request of the same process and subject that the store executed before; 0 if it knows none. */
  readonly previousNumber: number
}

/** A window in a store, and what this process knows about it. */
type SharedWindow = {
  readonly name: string
  readonly limit: number
  /** Milliseconds until the window ends, as far as this process knows. */
  readonly lengthMs: number
  /**
   * Calls that this process knows of, with its unsynced ones. A store that has lost the window begins with them. If the window
   * ends at the same time as the window of the store, the count of the store is at least as high afterwards.
   */
  readonly knownUsed: number
  /** Calls that this process admitted and that the store may not have counted. */
  readonly unsynced: readonly UnsyncedCalls[]
}

/** Calls that a store adds to its count, unless it has executed a request with their number or a higher one. */
export type UnsyncedCalls = {
  /** Number of the first request that carried these calls, which may be the current one. */
  readonly number: number
  readonly calls: number
}

/** The count of a window, as the store has returned it to a process. */
export type KnownCount = {
  readonly subject: string
  /** Name of the window. */
  readonly window: string
  readonly used: number
  /** Milliseconds until the window ends; not positive if it has ended. */
  readonly endsInMs: number
}

/** What a process holds, until a time after which it counts as released. */
export type HoldRequest = {
  /** Owner of what is held. */
  readonly subject: string
  /** Name of what is held, different from all else that this process holds for the subject. */
  readonly member: string
  /** How many members the subject may hold; undefined to renew one that is held already. */
  readonly limit: number | undefined
  readonly ttlMs: number
}
