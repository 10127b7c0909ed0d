import type { Head } from './Head.ts'

/** An open subscription to a node's new blocks. */
export type Subscription = {
  /** Reads the newest block from the node that sends the notices. */
  readonly read: () => Promise<Head>
  /** Resolves when no more notices can arrive. */
  readonly ended: Promise<void>
  readonly stop: () => void
}

/**
 * Subscribes to new blocks. The listener receives each notified block, or undefined for a notice that is not a block.
 */
export type Subscribe = (onNotice: (head: Head | undefined) => void) => Promise<Subscription>
