import { Errors } from '@agio/core'
import { toErrorBody } from '../../errors/toErrorBody.ts'
import type { StreamChain } from '../TopicSource.ts'

const retryMs = 1000

/** Creates the schedule of a topic: a read at each new block of its chain, and a second after a failure. */
export function createReadSchedule(chain: StreamChain, now: () => number) {
  let readHash: string | undefined
  let isFirst = true
  let retryAtMs = Infinity
  let pausedUntilMs = -Infinity
  return {
    /** Returns whether the topic should be read now. */
    isDue: () => now() >= pausedUntilMs && (isFirst || chain.heads.find()?.hash !== readHash || now() >= retryAtMs),
    /** Returns whether a read is due without a new block: the first read, and a read after a time. */
    isPollDue: () => isFirst || now() >= retryAtMs,
    /** Begins a read. The next read is due at the next block, and with `keepPoll` also at the time that was set before. */
    begin({ keepPoll = false }: { readonly keepPoll?: boolean } = {}): void {
      isFirst = false
      readHash = chain.heads.find()?.hash
      if (!keepPoll) retryAtMs = Infinity
    },
    /** Makes the next read due after a time, or at the next block if it comes first. Default: one second. */
    retryAfter(ms: number = retryMs): void {
      retryAtMs = now() + ms
    },
    /** Makes no read due until the key of the topic has a budget again, if an error says that it is used up. */
    pauseAfter(error: unknown): void {
      const pauseMs = Errors.findRateLimitMs(error)
      if (pauseMs === undefined) return
      pausedUntilMs = now() + pauseMs
      retryAtMs = pausedUntilMs
    },
  }
}

/** Returns the state of a topic that fails. An error is sent once, until another error or a result follows. */
export function toErrorState(error: unknown): string {
  return `error ${toErrorBody(error).code}`
}
