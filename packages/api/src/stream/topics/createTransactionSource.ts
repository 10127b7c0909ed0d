import type { Chain } from '@agio/chain'
import { TransactionState } from '@agio/core'
import { track } from '../../transaction/track.ts'
import { prepareProcedure } from '../../procedure/prepareProcedure.ts'
import { withoutClient, type Context } from '../../procedure/Context.ts'
import type { CallerStreams } from '../Streams.ts'
import type { TransactionPosition } from '../streamCursor.ts'
import type { TopicEvent, TopicSource } from '../TopicSource.ts'
import { createReadSchedule, toErrorState } from './createReadSchedule.ts'
import { listTransitions, type Tracked } from '../../transaction/trackResponse.ts'
import type { TopicOf } from './topicSchemas.ts'

const runTrack = prepareProcedure('transaction.track', track)

// A pending transaction may be replaced in the pools of the nodes without a block.
const pendingMs = 5000

/**
 * Creates the source of a transaction, until its final state. It sends an event for each transition, even for transitions while
 * the client was disconnected.
 */
export function createTransactionSource(
  { topic: _, ...first }: TopicOf<'transaction'>,
  { chain, context, streams, resumed, now }: createTransactionSource.Dependencies,
): TopicSource {
  const { transactionHash } = first
  const schedule = createReadSchedule(chain, now)
  let input: object = resumed ? { transactionHash, cursor: resumed.cursor } : first
  let state = resumed?.state
  let isFirst = true
  let isOver = false
  let failure: string | undefined

  async function readTracked(): Promise<Tracked> {
    const shared = { key: `transaction ${JSON.stringify(input)}`, maxAgeMs: pendingMs / 2 }
    const tracked = await streams.share(chain, shared, () => runTrack({ context: withoutClient(context), input }))
    return tracked as Tracked
  }
  function accept(tracked: Tracked): readonly TopicEvent[] {
    const transitions = listTransitions(state, tracked)
    const present = TransactionState.from(tracked)
    // A node that lags behind reports a less final state.
    const isBehind = state !== undefined && TransactionState.compare(present, state) === -1
    if (!isBehind) state = present
    if (tracked.cursor !== undefined) input = { transactionHash, cursor: tracked.cursor }
    isOver = TransactionState.isSettled(present)
    // The next read shows the current state.
    if (tracked.status === 'reorged') schedule.retryAfter(0)
    else if (tracked.status === 'pending') schedule.retryAfter(pendingMs)
    // After a reconnect, the current state is sent even without a transition.
    const isRepeated = transitions.length === 0 && isFirst
    isFirst = false
    if (isRepeated) return [toEvent(tracked, state ?? present)]
    return transitions.map((data) => toEvent(data, TransactionState.from(data)))
  }
  return {
    topic: 'transaction',
    chain,
    resumed,
    isDue: () => !isOver && schedule.isDue(),
    async read() {
      schedule.begin()
      try {
        const tracked = await readTracked()
        failure = undefined
        return accept(tracked)
      } catch (error) {
        schedule.retryAfter()
        const state = toErrorState(error)
        if (state === failure) return []
        failure = state
        throw error
      }
    },
  }
}

export declare namespace createTransactionSource {
  type Dependencies = {
    readonly chain: Chain
    readonly context: Context
    readonly streams: CallerStreams
    /** The position of the transaction at the last event that the client received. */
    readonly resumed: TransactionPosition | undefined
    /** The monotonic clock, in milliseconds. */
    readonly now: () => number
  }
}

function toEvent(data: Tracked, state: TransactionState.TransactionState): TopicEvent {
  const { cursor } = data
  return { data, position: cursor === undefined ? undefined : { state, cursor } }
}
