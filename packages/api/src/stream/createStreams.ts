import { Errors, type Network, type ServiceError } from '@agio/core'
import { toErrorBody } from '../errors/toErrorBody.ts'
import { createSharedReads, type SharedReads } from './createSharedReads.ts'
import { createStreamNotifier, type StreamNotifier } from './createStreamNotifier.ts'
import { runStream } from './runStream.ts'
import type { StreamEvent } from './StreamEvent.ts'
import type { TopicWatch, WatchedChain } from './TopicWatch.ts'

// Revocations by other processes arrive within a second: together the streams of a revoked key end within two.
const keyCheckMs = 250
// How often streams look for what changes without a block.
const wakeMs = 1000
const headWaitMs = 2000

/** Opens the streams of a process: wakes them at new blocks, limits them by key, and ends them. */
export function createStreams({ findRefusal, hold, log, observeCount }: createStreams.Settings): Streams {
  const open = new Set<OpenStream>()
  const followed = new Set<Network.ChainId>()
  let timer: ReturnType<typeof setInterval> | undefined
  let ticks = 0
  let isStopped = false

  /** Wakes the streams of a chain at each of its blocks, for as long as it has some. */
  async function follow(chain: WatchedChain): Promise<void> {
    const { chainId, heads } = chain
    if (followed.has(chainId)) return
    followed.add(chainId)
    const listUsers = () => [...open].filter(({ chains }) => chains.has(chainId))
    while (listUsers().length > 0) {
      const seen = heads.find()?.hash
      if (!(await heads.next(headWaitMs, seen))) break
      if (heads.find()?.hash !== seen) for (const { notifier } of listUsers()) notifier.notify()
    }
    followed.delete(chainId)
  }
  async function endRefused(): Promise<void> {
    const bySecret = Map.groupBy(open, ({ caller }) => caller.secretHash)
    await Promise.all(
      [...bySecret].map(async ([secretHash, streams]) => {
        // While the database cannot tell, streams go on as requests do.
        const refusal = await findRefusal(secretHash).catch(() => undefined)
        if (refusal) for (const { notifier } of streams) notifier.end({ reason: 'refused', refusal })
      }),
    )
  }
  function tick(): void {
    ticks += 1
    void endRefused()
    if (ticks % (wakeMs / keyCheckMs) === 0) for (const { notifier } of open) notifier.notify()
  }
  function add(stream: OpenStream): void {
    open.add(stream)
    observeCount(open.size)
    timer ??= setInterval(tick, keyCheckMs)
    for (const chain of stream.chains.values()) void follow(chain)
  }
  function remove(stream: OpenStream): void {
    if (!open.delete(stream)) return
    stream.release()
    observeCount(open.size)
    const { caller, openedAtMs, eventCount } = stream
    const ms = Math.round(performance.now() - openedAtMs)
    const end = stream.notifier.ended()?.reason ?? 'gone'
    log.info({ requestId: caller.requestId, keyId: caller.keyId, end, events: eventCount, ms }, 'stream ended')
    if (open.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  async function* run(stream: OpenStream, watches: readonly TopicWatch[]): AsyncGenerator<StreamItem, void, void> {
    const { notifier, caller } = stream
    const { requestId } = caller
    const onFailure = (error: unknown) => {
      if (toErrorBody(error).code === 'svc/internal') log.error({ requestId, err: error }, 'a topic of a stream failed')
    }
    try {
      for await (const item of runStream(watches, { requestId, notifier, onFailure })) {
        if (item !== 'heartbeat') stream.eventCount += 1
        yield item
      }
    } finally {
      remove(stream)
    }
  }
  function end(): void {
    for (const { notifier } of open) notifier.end({ reason: 'stopping' })
  }
  const { share } = createSharedReads()
  return {
    share,
    async open(watches, { caller, signal }) {
      const release = await hold(`streams:${caller.keyId}`, caller.limit)
      if (!release) throw Errors.tooManyStreams({ limit: caller.limit })
      const chains = new Map(watches.flatMap(({ chain }) => (chain ? [[chain.chainId, chain] as const] : [])))
      const stream: OpenStream = {
        caller,
        chains,
        release,
        notifier: createStreamNotifier(),
        openedAtMs: performance.now(),
        eventCount: 0,
      }
      add(stream)
      if (isStopped) stream.notifier.end({ reason: 'stopping' })
      const items = run(stream, watches)
      function leave(): void {
        stream.notifier.end({ reason: 'gone' })
        // It has not begun if its reader has taken nothing: its own end would not remove it.
        void items.return().then(() => remove(stream))
      }
      if (signal.aborted) leave()
      else signal.addEventListener('abort', leave, { once: true })
      return items
    },
    end,
    stop() {
      isStopped = true
      end()
    },
  }
}

export declare namespace createStreams {
  type Settings = {
    /** Returns why the secret with a hash is refused; undefined while it is valid. */
    readonly findRefusal: (secretHash: string) => Promise<ServiceError | undefined>
    /** Holds a place for a stream; undefined if its subject has as many as it may. */
    readonly hold: (subject: string, limit: number) => Promise<(() => void) | undefined>
    readonly log: { info(fields: object, message: string): void; error(fields: object, message: string): void }
    /** Called with the number of open streams after each change. */
    readonly observeCount: (count: number) => void
  }
}

export type Streams = SharedReads & {
  /**
   * Opens a stream, until its signal aborts it. Nothing is read before its first item is taken.
   *
   * @throws `svc/rate-limited` if the key has as many as it may have
   */
  open(
    watches: readonly TopicWatch[],
    options: { readonly caller: StreamCaller; readonly signal: AbortSignal },
  ): Promise<AsyncGenerator<StreamItem, void, void>>
  /** Ends all streams, each with an event that says so. */
  end(): void
  /** Ends all streams, and those that are opened afterwards at once. */
  stop(): void
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
  readonly chains: ReadonlyMap<Network.ChainId, WatchedChain>
  /** Releases its place among the streams of its key. */
  readonly release: () => void
  readonly notifier: StreamNotifier
  readonly openedAtMs: number
  eventCount: number
}
