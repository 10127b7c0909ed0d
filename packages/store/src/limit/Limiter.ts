/** At most `limit` calls in a length of time that begins with the first of them. */
export type Window = {
  readonly name: string
  readonly limit: number
  readonly lengthMs: number
  /** What was used before anyone counted here, asked when a window begins; nothing if it is left out. */
  readonly readUsed?: (() => Promise<number>) | undefined
}

/** How a window stands. */
export type WindowState = {
  /** Calls admitted in it, those of this request included. */
  readonly used: number
  /** The time until it ends; its whole length if it has not begun. */
  readonly endsInMs: number
}

/** Whether a request may go on. Where it may not, nothing was used up. */
export type Admission = {
  readonly isAdmitted: boolean
  /** One for each window, in the order asked. */
  readonly states: readonly WindowState[]
}

/** Counts what subjects use of their windows. */
export type Limiter = {
  /**
   * Admits a request if every window has room for it, and then only counts it in all of them.
   *
   * @param subject whose windows they are
   * @param cost how many calls it makes
   * @returns at once if nobody else must be asked
   */
  admit(subject: string, windows: readonly Window[], cost?: number): Admission | Promise<Admission>
  /** How a window stands, as far as it is known without asking anyone. */
  read(subject: string, window: Window): WindowState
  /** `local`: counts of this process alone. `shared`: those of all processes. `unavailable`: local, until the shared ones return. */
  state(): 'local' | 'shared' | 'unavailable'
  close(): Promise<void>
}
