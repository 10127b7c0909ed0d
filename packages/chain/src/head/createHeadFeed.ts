import { createHeadReader, type ReadState } from './createHeadReader.ts'
import type { Head } from './Head.ts'
import { type Subscribe, type Subscription, withResubscribe } from './Subscription.ts'

// Health reports a poll that has had no response for 1.5 s. With this interval, a hung node is found within two seconds,
// with or without traffic.
const pollMs = 400

/**
 * Follows new heads. With a subscription, the feed polls 400 ms after the last notice. Without a subscription, it polls
 * 400 ms after the response to the last poll.
 */
export function createHeadFeed({
  read,
  subscribe,
  mayBeWrong,
  ...dependencies
}: createHeadFeed.Dependencies): HeadFeed {
  const { accept, now } = dependencies
  const reader = createHeadReader({ read, accept, now })
  let subscription: Subscription | undefined
  const polls = createPollTimer({ poll, getLastMs: reader.startedAtMs, now })

  async function poll(): Promise<void> {
    const polled = subscription
    try {
      await (polled ? reader.read(polled.read) : reader.refresh())
      polls.later()
    } catch {
      if (!polled) return polls.later()
      // The subscription was silent because its connection is dead.
      polled.stop()
      end(polled)
    }
  }
  function receive(notice: Head | undefined): void {
    // An invalid, late or doubtful notice, or a notice of another chain does not identify the newest block. A verified
    // read identifies it.
    if (!notice || mayBeWrong(notice)) return polls.soon()
    accept(notice)
    // After a failed read, a notice does not show that the node answers reads. Only another read shows it.
    if (!reader.state().error) polls.later()
  }
  async function start(started: Subscription): Promise<void> {
    subscription = started
    polls.later()
    // The first notice reports the next block. The current block must be read.
    await reader.read(started.read)
  }
  function end(ended: Subscription): void {
    if (subscription === ended) subscription = undefined
    polls.soon()
  }
  // The state of the nodes must be known from the start.
  polls.soon()
  const stopSubscribing = subscribe && withResubscribe(() => subscribe(receive), { onStart: start, onEnd: end })

  return {
    refresh: reader.refresh,
    state: reader.state,
    stop() {
      polls.stop()
      stopSubscribing?.()
    },
  }
}

export declare namespace createHeadFeed {
  type Dependencies = {
    /** Reads the newest block from any node. */
    readonly read: () => Promise<Head>
    readonly subscribe?: Subscribe | undefined
    /** Takes a head from a response or a notice of a node. @returns the current head afterwards */
    readonly accept: (answer: Head) => Head
    /** Returns whether a notice may not be the newest block of the chain. */
    readonly mayBeWrong: (notice: Head) => boolean
    readonly now: () => number
  }
}

/** Receives the new heads of a chain, by subscription or by polling. */
export type HeadFeed = {
  /** Reads the newest block from a node now. Concurrent calls share one read. @throws `svc/upstream-*` */
  refresh(): Promise<Head>
  state(): ReadState
  stop(): void
}

type PollTimer = {
  /** Polls in 400 ms, and cancels any scheduled poll. */
  later(): void
  /** Polls 400 ms after the start of the last read, and cancels any scheduled poll. */
  soon(): void
  stop(): void
}

type Polling = {
  readonly poll: () => Promise<void>
  /** Returns the time at which the last read began. */
  readonly getLastMs: () => number
  readonly now: () => number
}

function createPollTimer({ poll, getLastMs, now }: Polling): PollTimer {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false

  function pollAfter(delayMs: number): void {
    clearTimeout(timer)
    if (!stopped) timer = setTimeout(() => void poll(), delayMs)
  }
  return {
    later: () => pollAfter(pollMs),
    soon: () => pollAfter(Math.max(0, getLastMs() + pollMs - now())),
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
