import { createHeadReader, type ReadState } from './createHeadReader.ts'
import type { HeadSelector } from './createHeadSelector.ts'
import type { Head } from './Head.ts'
import type { Subscribe, Subscription } from './Subscription.ts'
import { withResubscribe } from './withResubscribe.ts'

// Health reports a poll that is unanswered for 1.5 s, and a node that hangs within two seconds, with traffic or without.
const pollMs = 400

/**
 * Brings in new heads: by a subscription where a node has one, with a poll 400 ms after its last notice; by polling otherwise,
 * 400 ms after the last poll was answered.
 */
export function createHeadFeed({ read, subscribe, selector, ...settings }: createHeadFeed.Settings): HeadFeed {
  const { accept, now } = settings
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
      // It was silent because the connection is dead.
      polled.stop()
      end(polled)
    }
  }
  function receive(notice: Head | undefined): void {
    // Neither garbage nor a late notice identifies the newest block, nor one of another chain: only a verified read does.
    if (!notice || selector.isDoubtful(notice)) return polls.soon()
    accept(notice)
    // After a failed read only another read shows that the node answers, however many notices it sends.
    if (!reader.state().error) polls.later()
  }
  async function start(started: Subscription): Promise<void> {
    subscription = started
    polls.later()
    // No notice reports the block before the first one.
    await reader.read(started.read)
  }
  function end(ended: Subscription): void {
    if (subscription === ended) subscription = undefined
    polls.soon()
  }
  // The state of the nodes has to be known from the start.
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
  type Settings = {
    /** Reads the newest block from any node. */
    readonly read: () => Promise<Head>
    readonly subscribe?: Subscribe | undefined
    /** Takes what a node has answered or notified. @returns the current head afterwards */
    readonly accept: (answer: Head) => Head
    readonly selector: Pick<HeadSelector, 'isDoubtful'>
    readonly now: () => number
  }
}

export type HeadFeed = {
  /** Reads the newest block from a node now; concurrent calls share one read. @throws `svc/upstream-*` */
  refresh(): Promise<Head>
  state(): ReadState
  stop(): void
}

type PollTimer = {
  /** Polls after 400 ms, in place of any scheduled poll. */
  later(): void
  /** Polls 400 ms after the last read began, in place of any scheduled poll. */
  soon(): void
  stop(): void
}

type Polling = {
  readonly poll: () => Promise<void>
  /** When the last read began. */
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
