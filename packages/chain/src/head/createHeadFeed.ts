import { createHeadReader, type ReadState } from './createHeadReader.ts'
import type { HeadSelector } from './createHeadSelector.ts'
import type { Head } from './Head.ts'
import type { Subscribe, Subscription } from './Subscription.ts'
import { withResubscribe } from './withResubscribe.ts'

const busyPollMs = 500
const idlePollMs = 1000
// A subscription that is silent for longer is checked by a read.
const maxSilenceMs = 1000

/**
 * Brings in new heads: by a subscription where a node has one, with a poll after a second without a notice; by polling
 * otherwise, twice a second while busy or watched, and once while idle.
 */
export function createHeadFeed({ read, subscribe, selector, ...settings }: createHeadFeed.Settings): HeadFeed {
  const { accept, getDemand, maxAgeMs, now } = settings
  const reader = createHeadReader({ read, accept, now })
  let subscription: Subscription | undefined
  const getIntervalMs = () => toIntervalMs(getDemand(), { isSubscribed: subscription !== undefined, maxAgeMs })
  const polls = createPollTimer({ poll, getIntervalMs, getLastMs: reader.startedAtMs, now })

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
    // Neither garbage nor a late notice identifies the newest block: only a read does.
    if (!notice || selector.mayBeStale(notice)) return polls.soon()
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
    hasten() {
      if (!subscription && reader.state().pendingSinceMs === undefined) polls.soon()
    },
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
    /** Takes what a node has answered or notified. @returns the head from now on */
    readonly accept: (answer: Head) => Head
    readonly selector: Pick<HeadSelector, 'mayBeStale'>
    readonly getDemand: () => Demand
    /** How long an unconfirmed head may be used: a silent subscription is polled after half of it, if that is less than a second. */
    readonly maxAgeMs: number
    readonly now: () => number
  }
}

/** Whether the state of the head is being watched, the chain has been used lately, or neither. */
export type Demand = 'watched' | 'busy' | 'idle'

export type HeadFeed = {
  /** Reads the newest block from a node now; concurrent calls share one read. @throws `svc/upstream-*` */
  refresh(): Promise<Head>
  state(): ReadState
  /** Moves the next poll to half a second after the last one; has no effect on a subscription. */
  hasten(): void
  stop(): void
}

type PollTimer = {
  /** Polls after the interval, in place of any scheduled poll. */
  later(): void
  /** Polls half a second after the last read began, in place of any scheduled poll. */
  soon(): void
  stop(): void
}

type Polling = {
  readonly poll: () => Promise<void>
  readonly getIntervalMs: () => number
  /** When the last read began. */
  readonly getLastMs: () => number
  readonly now: () => number
}

function createPollTimer({ poll, getIntervalMs, getLastMs, now }: Polling): PollTimer {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false

  function pollAfter(delayMs: number): void {
    clearTimeout(timer)
    if (!stopped) timer = setTimeout(() => void poll(), delayMs)
  }
  return {
    later: () => pollAfter(getIntervalMs()),
    soon: () => pollAfter(Math.max(0, getLastMs() + busyPollMs - now())),
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}

type Mode = { readonly isSubscribed: boolean; readonly maxAgeMs: number }

function toIntervalMs(demand: Demand, { isSubscribed, maxAgeMs }: Mode): number {
  if (!isSubscribed) return demand === 'idle' ? idlePollMs : busyPollMs
  return Math.max(busyPollMs, Math.min(maxAgeMs / 2, maxSilenceMs))
}
