import { Errors, type Network, type ServiceError } from '@agio/core'
import { toErrorBody } from '../errors/toErrorBody.ts'
import type { Health } from '../health/toHealth.ts'
import { createSharedReads, type SharedReads } from './createSharedReads.ts'
import { createStreamNotifier, type StreamNotifier } from './createStreamNotifier.ts'
import { runStream, type StreamEvent } from './runStream.ts'
import type { StreamChain, TopicSource } from './TopicSource.ts'

// Revocations by other processes arrive within a second: together the streams of a revoked key end within two.
const keyCheckMs = 250
// How often streams look for what changes without a block.
const wakeMs = 1000
const headWaitMs = 2000

/** The open streams of a process: wakes them at new blocks, limits them by key, and ends them. */
export class Streams implements SharedReads {
  readonly share = createSharedReads().share
  readonly #dependencies: Streams.Dependencies
  readonly #open = new Set<OpenStream>()
  readonly #followedChains = new Set<Network.ChainId>()
  #timer: ReturnType<typeof setInterval> | undefined
  #ticks = 0
  #isStopped = false

  constructor(dependencies: Streams.Dependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Opens a stream, until its signal aborts it. Nothing is read before its first item is taken.
   *
   * @throws `svc/rate-limited` if the key has as many as it may have
   */
  async open(
    sources: readonly TopicSource[],
    { caller, signal }: Streams.Options,
  ): Promise<AsyncGenerator<StreamItem, void, void>> {
    const release = await this.#dependencies.hold(`streams:${caller.keyId}`, caller.limit)
    if (!release) throw Errors.tooManyStreams({ limit: caller.limit })
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
      // It has not begun if its reader has taken nothing: its own end would not remove it.
      void items.return().then(() => this.#remove(stream))
    }
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    return items
  }

  /** Ends all streams, each with an event that says so. */
  end(): void {
    for (const { notifier } of this.#open) notifier.end({ reason: 'stopping' })
  }

  /** Ends all streams, and those that are opened afterwards at once. */
  stop(): void {
    this.#isStopped = true
    this.end()
  }

  #add(stream: OpenStream): void {
    this.#open.add(stream)
    this.#dependencies.observeCount(this.#open.size)
    this.#timer ??= setInterval(() => this.#tick(), keyCheckMs)
    for (const chain of stream.chains.values()) void this.#follow(chain)
  }

  #remove(stream: OpenStream): void {
    if (!this.#open.delete(stream)) return
    const { log, observeCount } = this.#dependencies
    stream.release()
    observeCount(this.#open.size)
    const { caller, openedAtMs, eventCount } = stream
    const ms = Math.round(performance.now() - openedAtMs)
    const end = stream.notifier.ended()?.reason ?? 'gone'
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
      for await (const item of runStream(sources, { requestId, notifier, onFailure })) {
        if (item !== 'heartbeat') stream.eventCount += 1
        yield item
      }
    } finally {
      this.#remove(stream)
    }
  }

  /** Wakes the streams of a chain at each of its blocks, for as long as it has some. */
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
        // While the database cannot tell, streams go on as requests do.
        const refusal = await this.#dependencies.findRefusal(secretHash).catch(() => undefined)
        if (refusal) for (const { notifier } of streams) notifier.end({ reason: 'refused', refusal })
      }),
    )
  }
}

export declare namespace Streams {
  type Dependencies = {
    /** Returns why the secret with a hash is refused; undefined while it is valid. */
    readonly findRefusal: (secretHash: string) => Promise<ServiceError | undefined>
    /** Holds a place for a stream; undefined if its subject has as many as it may. */
    readonly hold: (subject: string, limit: number) => Promise<(() => void) | undefined>
    readonly log: { info(fields: object, message: string): void; error(fields: object, message: string): void }
    /** Called with the number of open streams after each change. */
    readonly observeCount: (count: number) => void
  }
  type Options = { readonly caller: StreamCaller; readonly signal: AbortSignal }
}

/** The streams of the caller of a request. */
export type CallerStreams = SharedReads & {
  /** Opens a stream, until its signal aborts it. @throws `svc/rate-limited` if the key has as many as it may have */
  open(sources: readonly TopicSource[], signal: AbortSignal): Promise<AsyncGenerator<StreamItem, void, void>>
  /** Counts the event of a quote toward the quota of the key, not toward its rate. @throws `svc/quota-exceeded` */
  chargeQuote(): Promise<void>
  /** Returns the body of `/health`, from memory. */
  getHealth(): Health
}

/** An event, or a sign of life after a while without one. */
export type StreamItem = StreamEvent | 'heartbeat'

/** The key that a stream belongs to. */
type StreamCaller = {
  readonly keyId: string
  /** The hash of the secret that opened it. A rotation ends one secret of a key, and no other. */
  readonly secretHash: string
  /** How many streams it may have at a time. */
  readonly limit: number
  readonly requestId: string
}

type OpenStream = {
  readonly caller: StreamCaller
  readonly chains: ReadonlyMap<Network.ChainId, StreamChain>
  /** Releases its place among the streams of its key. */
  readonly release: () => void
  readonly notifier: StreamNotifier
  readonly openedAtMs: number
  eventCount: number
}
