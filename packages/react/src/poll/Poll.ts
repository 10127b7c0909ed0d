import { toRetryDelayMs } from '../errors/toRetryDelayMs.ts'

/**
 * A value to read and to read again, as a plain object. TanStack Query's `useQuery` takes it as it is.
 *
 * @example
 * const { data } = useQuery(queries.prices(agio, { chainId: 84532 }))
 */
export type Query<Data> = {
  /** What identifies the value. Equal keys share one request. */
  readonly queryKey: readonly unknown[]
  /** Reads the value. */
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>
  /** Milliseconds between the starts of two reads, or a function of the last value. */
  readonly refetchInterval: number | ((read: { readonly state: { readonly data?: Data | undefined } }) => number)
  /** The client has already retried. */
  readonly retry: false
}

/** The state of a value that is read again and again. */
export type PollState<Data> = {
  /** The newest value. It stays while the next one is read, and after an error. */
  readonly data: Data | undefined
  /** When the request of `data` began, by the clock of the page, in milliseconds. */
  readonly requestedAt: number | undefined
  /** The error of the last read, until a read succeeds. */
  readonly error: unknown
  /** When `error` arrived, by the clock of the page, in milliseconds. */
  readonly failedAt: number | undefined
  readonly isFetching: boolean
}

/** What a stream has sent: a value, or the error that keeps it from sending one. */
export type Sent<Data> = { readonly data: Data } | { readonly error: unknown }

/** The clock of the page. */
export type Clock = {
  /** Returns the time in milliseconds. Only differences are used, so the clock of the device may be wrong. */
  now(): number
}

/** Reads one value again and again while it is subscribed to and the page is visible. */
export class Poll<Data> {
  readonly #clock: Clock
  readonly #listeners = new Set<() => void>()
  #query: Query<Data>
  #isOver: ((data: Data) => boolean) | undefined
  #state: PollState<Data> = idle
  #controller: AbortController | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(query: Query<Data>, clock: Clock) {
    this.#query = query
    this.#clock = clock
  }

  readonly getState = (): PollState<Data> => this.#state

  /** Starts to read with the first subscriber, and ends with the last one. */
  readonly subscribe = (onChange: () => void): (() => void) => {
    this.#listeners.add(onChange)
    if (this.#listeners.size === 1) {
      document.addEventListener('visibilitychange', this.#onVisibility)
      this.#onVisibility()
    }
    return () => {
      this.#listeners.delete(onChange)
      if (this.#listeners.size > 0) return
      document.removeEventListener('visibilitychange', this.#onVisibility)
      this.#stop()
    }
  }

  /** Reads now, and returns the state after it. */
  readonly refetch = async (): Promise<PollState<Data>> => {
    this.#stop()
    const controller = new AbortController()
    const { signal } = controller
    this.#controller = controller
    const requestedAt = this.#clock.now()
    this.#set({ isFetching: true })
    try {
      const data = await this.#query.queryFn({ signal })
      if (!signal.aborted) this.#set({ data, requestedAt, ...noError, isFetching: false })
    } catch (error) {
      if (!signal.aborted) this.#set({ error, failedAt: this.#clock.now(), isFetching: false })
    }
    if (!signal.aborted) this.#schedule()
    return this.#state
  }

  /** Takes what a stream has sent, in place of a read that is in flight. */
  put(sent: Sent<Data>): void {
    this.#stop()
    const at = this.#clock.now()
    this.#set('data' in sent ? { ...sent, requestedAt: at, ...noError } : { ...sent, failedAt: at })
    this.#schedule()
  }

  /** Uses a newer query of the same key, and the end of its values. */
  use(query: Query<Data>, isOver: ((data: Data) => boolean) | undefined): void {
    this.#isOver = isOver
    const isResumed = query.refetchInterval !== this.#query.refetchInterval
    this.#query = query
    if (isResumed && !this.#state.isFetching && this.#listeners.size > 0) this.#schedule()
  }

  readonly #onVisibility = (): void => {
    if (document.hidden) this.#stop()
    else this.#schedule(this.#state.requestedAt === undefined ? 0 : undefined)
  }

  /** Sets the timer of the next read: after the interval, or after an error once it can help. */
  #schedule(delayMs = this.#findDelayMs()): void {
    clearTimeout(this.#timer)
    if (delayMs === undefined || document.hidden || this.#listeners.size === 0) return
    this.#timer = setTimeout(() => void this.refetch(), delayMs)
  }

  #findDelayMs(): number | undefined {
    const { data, error, requestedAt = 0, failedAt = 0 } = this.#state
    const { refetchInterval } = this.#query
    const intervalMs = typeof refetchInterval === 'function' ? refetchInterval({ state: { data } }) : refetchInterval
    if (intervalMs === Infinity) return undefined
    if (error === undefined && data !== undefined && this.#isOver?.(data)) return undefined
    const dueAt = error === undefined ? requestedAt + intervalMs : failedAt + (toRetryDelayMs(error) ?? Infinity)
    return dueAt === Infinity ? undefined : Math.max(0, dueAt - this.#clock.now())
  }

  #stop(): void {
    clearTimeout(this.#timer)
    this.#controller?.abort()
    if (this.#state.isFetching) this.#set({ isFetching: false })
  }

  #set(change: Partial<PollState<Data>>): void {
    this.#state = { ...this.#state, ...change }
    for (const notify of this.#listeners) notify()
  }
}

const noError = { error: undefined, failedAt: undefined } as const

const idle: PollState<never> = { data: undefined, requestedAt: undefined, ...noError, isFetching: false }

/** The state before the first read, and of no query. */
export function getIdle(): PollState<never> {
  return idle
}
