import type { WatchedChain } from '../TopicWatch.ts'

const retryMs = 1000

/** Creates the schedule of a topic: a read at each new block of its chain, and a second after a failure. */
export function createDue(chain: WatchedChain, now: () => number): Due {
  let seen: string | undefined
  let isFirst = true
  let retryAtMs = Infinity
  return {
    isDue: () => isFirst || chain.heads.find()?.hash !== seen || now() >= retryAtMs,
    begin() {
      isFirst = false
      seen = chain.heads.find()?.hash
      retryAtMs = Infinity
    },
    retryAfter(ms = retryMs) {
      retryAtMs = now() + ms
    },
  }
}

export type Due = {
  isDue(): boolean
  /** Begins a read: the next one is due at the next block. */
  begin(): void
  /** Makes the next read due after a time, a second by default, unless a block comes first. */
  retryAfter(ms?: number): void
}
