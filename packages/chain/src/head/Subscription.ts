import type { Head } from './Head.ts'

/** An open subscription to a node's new blocks. */
export type Subscription = {
  /** Asks the node that sends the notices for its newest block. */
  readonly read: () => Promise<Head>
  /** Resolves when no more notices can come. */
  readonly ended: Promise<void>
  readonly stop: () => void
}

/** Subscribes to new blocks: hears of each of them, and undefined for a notice that is none. */
export type Subscribe = (onNotice: (head: Head | undefined) => void) => Promise<Subscription>
