/** At most `limit` calls in a length of time that begins with the first call. */
export type Window = {
  readonly name: string
  readonly limit: number
  readonly lengthMs: number
  /** Reads the calls made before this process started counting. Runs once when a window begins. Default: zero calls. */
  readonly readUsed?: (() => Promise<number>) | undefined
}

/** The state of a window. */
export type WindowState = {
  /** Calls admitted in the window, including the current request. */
  readonly used: number
  /** Milliseconds until the window ends; the full length before it begins. */
  readonly endsInMs: number
}

/** Whether a request is admitted. A refused request does not count. */
export type Admission = {
  readonly isAdmitted: boolean
  /** One state per window, in the order of the request's windows. */
  readonly states: readonly WindowState[]
}

/** Counts the calls of subjects in fixed windows. */
export type Limiter = {
  /**
   * Admits a request if every window has room for it. Counts it in all its windows or in none.
   *
   * @param subject owner of the windows
   * @param cost what the request counts; 1 by default
   * @returns synchronously if the decision needs no I/O
   */
  admit(subject: string, windows: readonly Window[], cost?: number): Admission | Promise<Admission>
  /**
   * Holds one place of a subject, such as an open stream.
   *
   * @returns a function that releases the place; undefined if the subject has reached its limit
   */
  hold(subject: string, limit: number): Promise<(() => void) | undefined>
  /** Returns the last known state of a window, without I/O. */
  getWindowState(subject: string, window: Window): WindowState
  /**
   * `local`: this process counts on its own. `shared`: all processes share their counts. `unavailable`: the shared
   * store cannot be reached, and this process counts on its own meanwhile.
   */
  state(): 'local' | 'shared' | 'unavailable'
  /**
   * Saves the counts in memory, and returns a function that brings them back any number of times. Undefined if
   * processes share their counts. Held places are not saved.
   */
  readonly saveCounts?: (() => () => void) | undefined
  close(): Promise<void>
}
