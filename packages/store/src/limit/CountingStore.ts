import type { Admission } from './Limiter.ts'

/** A store outside of this process that counts windows for all processes. */
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
   * Counts a request in all of its windows, or in none if one of them has no room.
   *
   * @returns a promise that rejects at once while the connection is not open
   */
  admit(subject: string, windows: readonly SharedWindow[], cost: number): Promise<Admission>
  /** Replaces an open connection that does not respond. A connection that is still being opened is kept. */
  reconnect(): Promise<void>
  /** Closes the connection, and rejects the requests on it. Closing twice is allowed. */
  close(): void
}

/** A window in a store, and what this process knows about it. */
export type SharedWindow = {
  readonly name: string
  readonly limit: number
  /** Milliseconds until the window ends, as far as this process knows. */
  readonly lengthMs: number
  /** Calls that this process knows of: the store may have lost its own count. */
  readonly knownUsed: number
  /** Calls that this process admitted while the store was unavailable, to be added to the store's count. */
  readonly unsynced: number
}
