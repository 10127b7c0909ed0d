import type { Chain } from '@agio/chain'
import type { TransactionPosition } from './streamCursor.ts'

/** The source of the events of one topic of a stream. */
export type TopicSource = {
  /** The name of the topic. */
  readonly topic: string
  /** The chain whose blocks change it; undefined for one of the service itself. */
  readonly chain: StreamChain | undefined
  /** Where its transaction was when its client was cut off. */
  readonly resumed?: TransactionPosition | undefined
  /** Whether a read may find something new, from memory. */
  isDue(): boolean
  /**
   * Reads what is new: at most the newest state, or the transitions of a transaction in order.
   *
   * @throws the error of the topic, which is new as well
   */
  read(): Promise<readonly TopicEvent[]>
}

export type StreamChain = Pick<Chain, 'chainId'> & { readonly heads: Pick<Chain['heads'], 'find' | 'next'> }

export type TopicEvent = {
  /** What the operation of the topic returns. */
  readonly data: object
  /** Where its transaction is by this event, for the cursor. */
  readonly position?: TransactionPosition | undefined
}
