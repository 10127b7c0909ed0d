/** At most `limit` calls in a length of time that begins with the first of them. */
export type Window = {
  readonly name: string
  readonly limit: number
  readonly lengthMs: number
  /** Reads the calls made before this process started counting, once when a window begins; zero by default. */
  readonly readUsed?: (() => Promise<number>) | undefined
}

/** The state of a window. */
export type WindowState = {
  /** Calls admitted in the window, including the current request. */
  readonly used: number
  /** Milliseconds until the window ends; its full length if it has not begun. */
  readonly endsInMs: number
}

/** Whether a request is admitted. A refused request uses up nothing. */
export type Admission = {
  readonly isAdmitted: boolean
  /** One state per window, in the order of the request's windows. */
  readonly states: readonly WindowState[]
}

/** Counts the calls of subjects in fixed windows. */
export type Limiter = {
  /**
   * Admits a request if every window has room for it, and counts it in all of its windows or in none.
   *
   * @param subject owner of the windows
   * @param cost number of calls in the request
   * @returns synchronously if the decision needs no I/O
   */
  admit(subject: string, windows: readonly Window[], cost?: number): Admission | Promise<Admission>
  /**
   * Holds one of the things that a subject may hold at a time, such as an open stream.
   *
   * @returns a function that releases it; undefined if the subject holds as many as it may
   */
  hold(subject: string, limit: number): Promise<(() => void) | undefined>
  /** Returns the last known state of a window, without I/O. */
  read(subject: string, window: Window): WindowState
  /**
   * `local`: this process counts alone. `shared`: all processes share their counts. `unavailable`: the shared store cannot
   * be reached, and this process counts alone until it can.
   */
  state(): 'local' | 'shared' | 'unavailable'
  close(): Promise<void>
}
