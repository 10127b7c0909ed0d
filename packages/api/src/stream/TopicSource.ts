import type { Chain } from '@agio/chain'
import type { TransactionPosition } from './streamCursor.ts'

/** The source of the events of one topic of a stream. */
export type TopicSource = {
  /** The name of the topic. */
  readonly topic: string
  /** The chain whose blocks change the topic; undefined for a topic of the service itself. */
  readonly chain: StreamChain | undefined
  /** The position of the transaction when the client was disconnected. */
  readonly resumed?: TransactionPosition | undefined
  /** Returns whether a read may find something new, without a request to a node or a database. */
  isDue(): boolean
  /**
   * Reads the new events: at most one event with the newest state, or one for each new transition of a transaction, in order.
   *
   * @throws the error of the topic, but not again until another error or a result follows
   */
  read(): Promise<readonly TopicEvent[]>
}

/** The part of a chain that a stream needs: its id and its heads. */
export type StreamChain = Pick<Chain, 'chainId'> & { readonly heads: Pick<Chain['heads'], 'find' | 'next'> }

/** An event of a topic. */
export type TopicEvent = {
  /** The output of the topic's operation, or its error. */
  readonly data: object
  /** The position of the transaction after this event, for the cursor. */
  readonly position?: TransactionPosition | undefined
}
