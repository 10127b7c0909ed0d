import { Errors } from '@agio/core'
import { toErrorBody } from '../../errors/toErrorBody.ts'
import type { StreamChain } from '../TopicSource.ts'

const retryMs = 1000

/** Creates the schedule of a topic: a read at each new block of its chain, and a second after a failure. */
export function createReadSchedule(chain: StreamChain, now: () => number): ReadSchedule {
  let readHash: string | undefined
  let isFirst = true
  let retryAtMs = Infinity
  let pausedUntilMs = -Infinity
  return {
    isDue: () => now() >= pausedUntilMs && (isFirst || chain.heads.find()?.hash !== readHash || now() >= retryAtMs),
    isPollDue: () => isFirst || now() >= retryAtMs,
    begin({ keepPoll = false } = {}) {
      isFirst = false
      readHash = chain.heads.find()?.hash
      if (!keepPoll) retryAtMs = Infinity
    },
    retryAfter(ms = retryMs) {
      retryAtMs = now() + ms
    },
    pauseAfter(error) {
      const pauseMs = Errors.findRateLimitMs(error)
      if (pauseMs === undefined) return
      pausedUntilMs = now() + pauseMs
      retryAtMs = pausedUntilMs
    },
  }
}

/** Decides when a topic is read next. */
export type ReadSchedule = {
  /** Returns whether the topic should be read now. */
  isDue(): boolean
  /** Returns whether a read is due without a new block: the first read, and a read after a time. */
  isPollDue(): boolean
  /** Begins a read. The next read is due at the next block, and with `keepPoll` also at the time that was set before. */
  begin(options?: { readonly keepPoll?: boolean }): void
  /** Makes the next read due after a time, or at the next block if it comes first. Default: one second. */
  retryAfter(ms?: number): void
  /** Makes no read due until the key of the topic has a budget again, if an error says that it is used up. */
  pauseAfter(error: unknown): void
}

/** Returns the state of a topic that fails. An error is sent once, until another error or a result follows. */
export function toErrorState(error: unknown): string {
  return `error ${toErrorBody(error).code}`
}
