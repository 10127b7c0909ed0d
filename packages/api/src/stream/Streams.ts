import { Errors, type Client, type Network, type ServiceError } from '@agio/core'
import type { ApiKey } from '@agio/store'
import { toErrorBody, type FailedRequest } from '../errors/toErrorBody.ts'
import type { Health } from '../health/toHealth.ts'
import { createPollSlots, type PollSlots } from './createPollSlots.ts'
import { createSharedReads, type SharedReads } from './createSharedReads.ts'
import { createStreamNotifier, type StreamEnd, type StreamNotifier } from './createStreamNotifier.ts'
import { runStream, type StreamEvent } from './runStream.ts'
import type { StreamChain, TopicSource } from './TopicSource.ts'

// Revocations by other processes arrive within a second. So the streams of a revoked key end within two seconds.
const keyCheckMs = 250
// How often streams poll for changes that occur without a block.
const wakeMs = 1000
const headWaitMs = 2000

/** The open streams of a process: wakes them at new blocks, limits them by key, and ends them. */
export class Streams implements SharedReads {
  readonly #dependencies: Streams.Dependencies
  readonly share: SharedReads['share']
  readonly #pollSlots: PollSlots
  readonly #open = new Set<OpenStream>()
  readonly #followedChains = new Set<Network.ChainId>()
  #timer: ReturnType<typeof setInterval> | undefined
  #ticks = 0
  #isStopped = false

  constructor(dependencies: Streams.Dependencies) {
    this.#dependencies = dependencies
    const { monotonicMs: now } = dependencies
    this.share = createSharedReads({ now }).share
    this.#pollSlots = createPollSlots({ now })
  }

  /**
   * Opens a stream. It ends when its signal aborts. Nothing is read before its reader takes the first item.
   *
   * @throws `svc/rate-limited` if the key has reached its limit of open streams, `svc/streams-full` if the process has
   */
  async open(
    sources: readonly TopicSource[],
    { caller, signal }: Streams.Options,
  ): Promise<AsyncGenerator<StreamItem, void, void>> {
    const release = await this.#dependencies.hold(`streams:${caller.keyId}`, caller.limit)
    if (!release) {
      this.#dependencies.observeRefusal('streams-of-key')
      throw Errors.tooManyStreams({ limit: caller.limit })
    }
    // Other streams may have been opened meanwhile.
    if (this.#isFull()) release()
    this.assertRoom()
    const chains = new Map(sources.flatMap(({ chain }) => (chain ? [[chain.chainId, chain] as const] : [])))
    const stream: OpenStream = {
      caller,
      chains,
      release,
      notifier: createStreamNotifier(),
      openedAtMs: performance.now(),
      eventCount: 0,
    }
    this.#add(stream)
    if (this.#isStopped) stream.notifier.end({ reason: 'stopping' })
    const items = this.#run(stream, sources)
    const leave = () => {
      stream.notifier.end({ reason: 'gone' })
      // If the reader has taken nothing, the generator has not started, and its end does not remove the stream.
      void items.return().then(() => this.#remove(stream))
    }
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    return items
  }

  /** Asserts that the process may open another stream. @throws `svc/streams-full` */
  assertRoom(): void {
    if (!this.#isFull()) return
    this.#dependencies.observeRefusal('streams')
    throw Errors.streamsFull({ limit: this.#dependencies.maxStreams })
  }

  /** Resolves when there is a slot for a poll or a quote in the queue of its key, or when the signal of its stream aborts. */
  takePoll(queue: string, signal: AbortSignal | undefined): Promise<void> {
    return this.#pollSlots.take(queue, signal)
  }

  /** Counts a further read of a poll, which delays the next polls in the queue of its key. */
  countRead(queue: string): void {
    this.#pollSlots.countRead(queue)
  }

  /** Ends all streams. Each stream sends a last `reconnect` event. */
  end(reason: 'stopping' | 'restored' = 'stopping'): void {
    for (const { notifier } of this.#open) notifier.end({ reason })
  }

  /** Ends all streams, and each later stream when it opens. */
  stop(): void {
    this.#isStopped = true
    this.end()
  }

  #isFull(): boolean {
    return this.#open.size >= this.#dependencies.maxStreams
  }

  #add(stream: OpenStream): void {
    this.#open.add(stream)
    this.#dependencies.observeCount(this.#open.size)
    this.#timer ??= setInterval(() => this.#tick(), keyCheckMs)
    for (const chain of stream.chains.values()) void this.#follow(chain)
  }

  #remove(stream: OpenStream): void {
    if (!this.#open.delete(stream)) return
    const { log, observeCount, observeEnd } = this.#dependencies
    stream.release()
    observeCount(this.#open.size)
    const { caller, openedAtMs, eventCount } = stream
    const ms = Math.round(performance.now() - openedAtMs)
    const end = stream.notifier.ended()?.reason ?? 'gone'
    observeEnd(end)
    log.info({ requestId: caller.requestId, keyId: caller.keyId, end, events: eventCount, ms }, 'stream ended')
    if (this.#open.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  async *#run(stream: OpenStream, sources: readonly TopicSource[]): AsyncGenerator<StreamItem, void, void> {
    const { log } = this.#dependencies
    const { notifier, caller } = stream
    const { requestId } = caller
    const onFailure = (error: unknown) => {
      if (toErrorBody(error).code === 'svc/internal') log.error({ requestId, err: error }, 'a topic of a stream failed')
    }
    try {
      for await (const item of runStream(sources, { request: caller, notifier, onFailure })) {
        if (item !== 'heartbeat') stream.eventCount += 1
        yield item
      }
    } finally {
      this.#remove(stream)
    }
  }

  /** Wakes the streams of a chain at each of its blocks, as long as the chain has streams. */
  async #follow({ chainId, heads }: StreamChain): Promise<void> {
    if (this.#followedChains.has(chainId)) return
    this.#followedChains.add(chainId)
    const listStreams = () => [...this.#open].filter(({ chains }) => chains.has(chainId))
    while (listStreams().length > 0) {
      const previousHash = heads.find()?.hash
      if (!(await heads.next(headWaitMs, previousHash))) break
      if (heads.find()?.hash !== previousHash) for (const { notifier } of listStreams()) notifier.notify()
    }
    this.#followedChains.delete(chainId)
  }

  #tick(): void {
    this.#ticks += 1
    void this.#endRefused()
    if (this.#ticks % (wakeMs / keyCheckMs) === 0) for (const { notifier } of this.#open) notifier.notify()
  }

  async #endRefused(): Promise<void> {
    const bySecret = Map.groupBy(this.#open, ({ caller }) => caller.secretHash)
    await Promise.all(
      [...bySecret].map(async ([secretHash, streams]) => {
        // While the database is unavailable, streams continue, like requests.
        const checked = await this.#dependencies.checkSecret(secretHash).catch(() => undefined)
        if (!checked) return
        for (const { notifier, caller } of streams) {
          const refusal = 'refusal' in checked ? checked.refusal : caller.findRefusal(checked.key)
          if (refusal) notifier.end({ reason: 'refused', refusal })
        }
      }),
    )
  }
}

export declare namespace Streams {
  type Dependencies = {
    /** Returns the key of the secret with a hash, or why the secret is refused. */
    readonly checkSecret: (secretHash: string) => Promise<{ readonly key: ApiKey } | { readonly refusal: ServiceError }>
    /** Holds a place for a stream and returns its release; undefined if the subject has reached its limit. */
    readonly hold: (subject: string, limit: number) => Promise<(() => void) | undefined>
    /** The largest number of open streams of the process. */
    readonly maxStreams: number
    readonly log: { info(fields: object, message: string): void; error(fields: object, message: string): void }
    /** Called with the number of open streams after each change. */
    readonly observeCount: (count: number) => void
    /** Called when a stream has ended. */
    readonly observeEnd: (reason: StreamEnd['reason']) => void
    /** Called when a limit refuses a stream. */
    readonly observeRefusal: (limit: 'streams' | 'streams-of-key') => void
    /** The monotonic clock, in milliseconds. Default: the clock of the process. */
    readonly monotonicMs?: (() => number) | undefined
  }
  type Options = { readonly caller: StreamCaller; readonly signal: AbortSignal }
}

/** The streams of the caller of a request. */
export type CallerStreams = SharedReads & {
  /** Opens a stream, until its signal aborts. @throws the errors of `Streams.open` */
  open(sources: readonly TopicSource[], signal: AbortSignal): Promise<AsyncGenerator<StreamItem, void, void>>
  /** Resolves when the key may poll a transaction that no block concerns, or when the signal of its stream aborts. */
  takePoll(signal: AbortSignal | undefined): Promise<void>
  /** Resolves when the key may read the nodes for a quote, or when the signal of its stream aborts. */
  takeQuote(signal: AbortSignal | undefined): Promise<void>
  /** Counts the event of a quote toward the quota of the key, not toward its rate. @throws `svc/quota-exceeded` */
  chargeQuote(): Promise<void>
  /** Charges the key for a poll of a transaction. @throws `svc/rate-limited` if the key has used up its budget for polls */
  chargePoll(): Promise<void>
  /**
   * Waits until the key may search for the transaction that used a nonce, and charges the key for it like `chargePoll`.
   *
   * @param client the client of the stream. Once it has disconnected, the search does not begin
   * @throws `svc/invalid-request` if the client disconnects first
   */
  beginSearch(client?: Client.Client): Promise<void>
  /** Counts a read of a search, which delays the next polls and searches of the key. */
  countSearchRead(): void
  /**
   * Charges the key for the reads of the nodes for a quote.
   *
   * @param count the declared node requests of the quote
   * @throws `svc/rate-limited` if the key has used up its budget for polls
   */
  chargeQuoteReads(count: number): Promise<void>
  /** Returns the body of `/health`, from memory. */
  getHealth(): Health
}

/** An event, or a heartbeat after a while without an event. */
export type StreamItem = StreamEvent | 'heartbeat'

/** The key that a stream belongs to. */
type StreamCaller = {
  readonly keyId: string
  /** The hash of the secret that opened the stream. A rotation ends only one secret of a key. */
  readonly secretHash: string
  /** Returns the reason why the changed key may not have the stream; undefined if it may. */
  readonly findRefusal: (key: ApiKey) => ServiceError | undefined
  /** The largest number of open streams of the key. */
  readonly limit: number
} & FailedRequest

type OpenStream = {
  readonly caller: StreamCaller
  readonly chains: ReadonlyMap<Network.ChainId, StreamChain>
  /** Releases the stream's place among the streams of its key. */
  readonly release: () => void
  readonly notifier: StreamNotifier
  readonly openedAtMs: number
  eventCount: number
}
