import type { Hex } from 'viem'
import { toUpstreamError } from '../errors/toUpstreamError.ts'
import { createNewest } from './createNewest.ts'
import { createShown, type Prepare } from './createShown.ts'
import { createWaiting } from './createWaiting.ts'
import type { Head } from './Head.ts'
import { keepSubscribed } from './keepSubscribed.ts'
import type { Subscribe, Subscription } from './Subscription.ts'

const busyPollMs = 500
const idlePollMs = 1000
/** How long after a use the chain counts as busy. */
const busyForMs = 10_000
/** How long after a use the next one is expected, and new heads are prepared for it. */
const expectedForMs = 2000
/** How long a subscription may be silent at most, however old a head may be. */
const maxSilenceMs = 5000

/**
 * Follows a chain's newest block. Where it can subscribe to new blocks it is told of them, and asks after a silence only;
 * without a subscription it asks twice a second while the chain is in use, and once while it is idle.
 *
 * The head goes back for a reorganisation alone, not for a node that lags behind another.
 *
 * @param settings.read asks a node for its newest block
 * @param settings.subscribe subscribes to new blocks, if a node takes subscriptions
 * @param settings.prepare makes ready what belongs to a new head before it is shown, while the chain is in use
 * @param settings.maxAgeMs how long an unconfirmed head may still be used
 */
export function createHeads({ read, subscribe, prepare, maxAgeMs, now = Date.now }: createHeads.Settings): Heads {
  const silenceMs = Math.max(busyPollMs, Math.min(maxAgeMs / 2, maxSilenceMs))
  const newest = createNewest({ maxAgeMs, now })
  const waiting = createWaiting()
  let [usedAtMs, askedAtMs] = [now(), -Infinity]
  const isInUse = () => now() - usedAtMs <= expectedForMs
  const preparing = { isInUse, prepare: prepare ?? (() => undefined) }
  const shown = createShown({ newest, maxAgeMs, now, ...preparing, onChange: waiting.wake })
  let reading: Promise<Head> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let subscription: Subscription | undefined
  let lastError: Error | undefined
  let stopped = false

  async function refresh(): Promise<Head> {
    return await shown.reach(await askOnce())
  }
  function askOnce(): Promise<Head> {
    reading ??= ask(read).finally(() => (reading = undefined))
    return reading
  }
  async function ask(question: () => Promise<Head>): Promise<Head> {
    askedAtMs = now()
    try {
      const answer = await question()
      lastError = undefined
      return accept(answer)
    } catch (error) {
      lastError = toUpstreamError(error)
      throw lastError
    }
  }
  function accept(answer: Head): Head {
    const head = newest.accept(answer)
    shown.follow()
    return head
  }
  function hear(notice: Head | undefined): void {
    // What is garbage, or late, says nothing of the newest block: that has to be asked for.
    if (!notice || newest.isDoubtful(notice)) return pollSoon()
    accept(notice)
    pollLater()
  }

  function pollAfter(delayMs: number): void {
    clearTimeout(timer)
    if (!stopped) timer = setTimeout(() => void poll(), delayMs)
  }
  function pollLater(): void {
    const pollMs = now() - usedAtMs < busyForMs ? busyPollMs : idlePollMs
    pollAfter(subscription ? silenceMs : pollMs)
  }
  function pollSoon(): void {
    pollAfter(Math.max(0, askedAtMs + busyPollMs - now()))
  }
  async function poll(): Promise<void> {
    const asked = subscription
    try {
      await (asked ? ask(asked.read) : askOnce())
      pollLater()
    } catch {
      if (!asked) return pollLater()
      // It was silent because it is dead.
      asked.stop()
      end(asked)
    }
  }
  async function start(started: Subscription): Promise<void> {
    subscription = started
    pollLater()
    // Nobody tells what came before the first notice.
    await ask(started.read)
  }
  function end(ended: Subscription): void {
    if (subscription === ended) subscription = undefined
    pollSoon()
  }
  // Whether it is well is to be known at once.
  pollSoon()
  const stopSubscribing = subscribe && keepSubscribed(() => subscribe(hear), { onStart: start, onEnd: end })

  return {
    get() {
      usedAtMs = now()
      return shown.findFresh() ?? refresh()
    },
    refresh,
    async next(timeoutMs, seen) {
      usedAtMs = now()
      if (!stopped && shown.state().head?.hash === seen) await waiting.wait(timeoutMs)
      return !stopped
    },
    state: () => ({ ...shown.state(), error: lastError }),
    stop() {
      stopped = true
      clearTimeout(timer)
      stopSubscribing?.()
      waiting.wake()
    },
  }
}

export declare namespace createHeads {
  type Settings = {
    readonly read: () => Promise<Head>
    readonly subscribe?: Subscribe | undefined
    readonly prepare?: Prepare | undefined
    readonly maxAgeMs: number
    readonly now?: (() => number) | undefined
  }
}

export type Heads = {
  /** The newest head; asks a node only if none has confirmed it for `maxAgeMs`. @throws `svc/upstream-*` */
  get(): Head | Promise<Head>
  /** Asks a node now, together with whoever else is asking. @throws `svc/upstream-*` */
  refresh(): Promise<Head>
  /** Resolves when the head is another one than `seen`, or after the time-out; with false once nobody follows it any more. */
  next(timeoutMs: number, seen: Hex | undefined): Promise<boolean>
  /** What is known without asking. */
  state(): { readonly head: Head | undefined; readonly confirmedAtMs: number; readonly error: Error | undefined }
  stop(): void
}
