import type { HoldRequest } from './holdScript.ts'
import type { Admission } from './Limiter.ts'

/** A store outside of this process that counts windows for all processes. */
export type CountingStore = HoldingStore & {
  /** Name of the store in log messages. */
  readonly name: string
  /**
   * Opens the connection, and keeps trying in the background until one is open.
   *
   * @param onError receives each failure of the connection
   */
  connect(onError: (error: unknown) => void): Promise<void>
  /**
   * Counts requests in turn, each in all of the windows, or in none if one of them has no room. They are counted at most
   * once: if a request of the same process and subject with a higher number arrived before them, they are ignored.
   *
   * @returns one admission per cost; undefined if the request was ignored; the promise rejects at once while the connection
   * is not open
   */
  admit(request: CountingRequest): Promise<readonly Admission[] | undefined>
  /**
   * Sends counts to the other processes.
   *
   * @returns the counts that other processes have sent since the last call
   */
  exchange(counts: readonly KnownCount[]): Promise<readonly KnownCount[]>
  /** Replaces an open connection that does not respond. A connection that is still being opened is kept. */
  reconnect(): Promise<void>
  /** Closes the connection, and rejects the requests on it. Closing twice is allowed. */
  close(): void
}

/** A store outside of this process that knows what all processes hold. */
export type HoldingStore = {
  /** Holds a member unless its subject holds as many as it may, and returns whether it does. */
  hold(request: HoldRequest): Promise<boolean>
  /** Releases a member of this process. */
  release(held: Pick<HoldRequest, 'subject' | 'member'>): Promise<void>
}

/** Requests of one subject that are counted together. */
export type CountingRequest = {
  /** Owner of the windows. */
  readonly subject: string
  readonly windows: readonly SharedWindow[]
  /** Number of calls in each request, in the order in which they are admitted. */
  readonly costs: readonly number[]
  /** Higher than that of every earlier request of this process. */
  readonly number: number
  /** The earlier requests of this process whose outcome it does not know. Those that the store has counted are not added. */
  readonly attempts: readonly Attempt[]
}

/** A request without a response: the store may have counted it, or may not. */
export type Attempt = {
  /** Number of the request. */
  readonly number: number
  /** The calls that it added to each window. */
  readonly calls: readonly number[]
}

/** A window in a store, and what this process knows about it. */
type SharedWindow = {
  readonly name: string
  readonly limit: number
  /** Milliseconds until the window ends, as far as this process knows. */
  readonly lengthMs: number
  /** Calls that this process knows of: the store may have lost its own count. */
  readonly knownUsed: number
  /** Calls that this process admitted while the store was unavailable, to be added to the store's count. */
  readonly unsynced: number
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
