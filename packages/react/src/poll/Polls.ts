import { getIdle, Poll, type Clock, type PollState, type Query, type Sent } from './Poll.ts'

// A component that comes back, for example on another page of a router, shows the last value at once.
const keepMs = 60_000

/** The polls of one provider, by key: components that show the same value share its requests. */
export class Polls {
  readonly #clock: Clock
  readonly #entries = new Map<string, Entry>()
  readonly #streams = new Set<() => void>()
  #generation = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Returns the state of a value. Requests nothing. */
  read<Data>(query: Query<Data>): PollState<Data> {
    return this.#find(query)?.getState() ?? getIdle()
  }

  /** Reads a value again and again until the returned function is called. It is kept for a minute after its last subscriber. */
  subscribe<Data>(query: Query<Data>, onChange: () => void): () => void {
    const key = toKey(query)
    const entry = this.#entries.get(key) ?? { poll: new Poll(query, this.#clock) as Poll<unknown>, subscribers: 0 }
    this.#entries.set(key, entry)
    clearTimeout(entry.timer)
    entry.subscribers += 1
    const unsubscribe = entry.poll.subscribe(onChange)
    return () => {
      unsubscribe()
      entry.subscribers -= 1
      if (entry.subscribers === 0) entry.timer = setTimeout(() => this.#entries.delete(key), keepMs)
    }
  }

  /** Uses the interval of a newer query of the same key, and the end of its values. */
  use<Data>(query: Query<Data>, isOver: ((data: Data) => boolean) | undefined): void {
    this.#find(query)?.use(query, isOver)
  }

  /** Reads a value now. Returns its state after that, if something is subscribed to it. */
  async refetch<Data>(query: Query<Data>): Promise<PollState<Data>> {
    return (await this.#find(query)?.refetch()) ?? getIdle()
  }

  /** Takes what a stream has sent for a value. */
  put<Data>(query: Query<Data>, sent: Sent<Data>): void {
    this.#find(query)?.put(sent)
  }

  /**
   * Reads the shown values now, and forgets the others.
   *
   * @param isMeant chooses among the shown values. Default: all, for example after the API key has changed
   */
  readonly refresh = (isMeant?: (state: PollState<unknown>) => boolean): void => {
    for (const [key, { poll, subscribers }] of this.#entries) {
      if (subscribers === 0 && !isMeant) this.#entries.delete(key)
      if (subscribers > 0 && (isMeant?.(poll.getState()) ?? true)) void poll.refetch()
    }
    if (isMeant) return
    this.#generation += 1
    for (const reopen of this.#streams) reopen()
  }

  /** Returns how often all values were refreshed. Streams open again with each time. */
  readonly getGeneration = (): number => this.#generation

  /** Calls back when streams must open again. */
  readonly onRefresh = (reopen: () => void): (() => void) => {
    this.#streams.add(reopen)
    return () => this.#streams.delete(reopen)
  }

  #find<Data>(query: Query<Data>): Poll<Data> | undefined {
    return this.#entries.get(toKey(query))?.poll as unknown as Poll<Data> | undefined
  }
}

type Entry = {
  readonly poll: Poll<unknown>
  subscribers: number
  timer?: ReturnType<typeof setTimeout>
}

function toKey({ queryKey }: Pick<Query<unknown>, 'queryKey'>): string {
  return JSON.stringify(queryKey)
}
