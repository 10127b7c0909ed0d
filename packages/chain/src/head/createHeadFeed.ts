import { createHeadReader } from './createHeadReader.ts'
import type { Head } from './Head.ts'
import { type Subscribe, type Subscription, withResubscribe } from './Subscription.ts'

// A hung node is found within two seconds of its last response, with or without traffic: the longer the pause between two
// polls, the sooner a poll counts as slow.
const faultShownMs = 1900

/**
 * Follows new heads. With a subscription, the feed polls some time after the last notice. Without a subscription, it polls
 * that time after the response to the last poll.
 */
export function createHeadFeed({ read, subscribe, mayBeWrong, ...dependencies }: createHeadFeed.Dependencies) {
  const { accept, getPollMs, now } = dependencies
  const reader = createHeadReader({ read, accept, getSlowMs: () => faultShownMs - getPollMs(), now })
  let subscription: Subscription | undefined
  const polls = createPollTimer({ poll, getLastMs: reader.startedAtMs, getPollMs, now })

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
    /** Reads the newest block from a node now. Concurrent calls share one read. @throws `svc/upstream-*` */
    refresh: reader.refresh,
    // Polls continue at the pace of a chain in use.
    /** Reads like `refresh`, and schedules the next poll anew. @throws `svc/upstream-*` */
    wake: () => reader.refresh().finally(polls.soon),
    state: reader.state,
    stop(): void {
      polls.stop()
      stopSubscribing?.()
    },
  }
}

export declare namespace createHeadFeed {
  type Dependencies = Omit<createHeadReader.Dependencies, 'getSlowMs'> & {
    readonly subscribe?: Subscribe | undefined
    /** Returns whether a notice may not be the newest block of the chain. */
    readonly mayBeWrong: (notice: Head) => boolean
    /** Returns the pause between two polls, in milliseconds. */
    readonly getPollMs: () => number
  }
}

type Polling = Pick<createHeadFeed.Dependencies, 'getPollMs' | 'now'> & {
  readonly poll: () => Promise<void>
  /** Returns the time at which the last read began. */
  readonly getLastMs: () => number
}

function createPollTimer({ poll, getLastMs, getPollMs, now }: Polling) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false

  function pollAfter(delayMs: number): void {
    clearTimeout(timer)
    if (!stopped) timer = setTimeout(() => void poll(), delayMs)
  }
  return {
    /** Polls after the pause between two polls, and cancels any scheduled poll. */
    later: () => pollAfter(getPollMs()),
    /** Polls one pause after the start of the last read, and cancels any scheduled poll. */
    soon: () => pollAfter(Math.max(0, getLastMs() + getPollMs() - now())),
    stop(): void {
      stopped = true
      clearTimeout(timer)
    },
  }
}
