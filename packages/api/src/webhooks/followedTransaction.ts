import { TransactionState } from '@agio/core'
import type { FollowedTransaction } from '@agio/store'
import { z } from 'zod'
import { chainIdOut, timestamp, transactionHashOut } from '../schema/fields.ts'
import { listTransitions, type Tracked } from '../transaction/trackResponse.ts'

const timeExample = '2026-11-21T05:00:00.000Z'

/** A transaction that a key follows, in a response. */
export const followedTransaction = z
  .object({
    chainId: chainIdOut,
    transactionHash: transactionHashOut,
    status: z
      .enum(TransactionState.statuses)
      .optional()
      .meta({ description: 'Last observed state. Absent until a node has the transaction', example: 'included' }),
    createdAt: timestamp.meta({ description: 'Time from which the transaction is followed', example: timeExample }),
    endedAt: timestamp.optional().meta({
      description:
        'Time from which the transaction is no longer followed, because its state is final or a week has passed',
      example: timeExample,
    }),
  })
  .meta({ id: 'WatchedTransaction', description: 'A transaction that an API key follows' })

/** Returns a followed transaction in the form of a response. */
export function toFollowedTransaction({ chainId, transactionHash, state, createdAt, endedAt }: FollowedTransaction) {
  const status = toPublicStatus(state)
  return {
    chainId,
    transactionHash,
    ...(status && { status }),
    createdAt: createdAt.toISOString(),
    ...(endedAt && { endedAt: endedAt.toISOString() }),
  } satisfies z.input<typeof followedTransaction>
}

type State = TransactionState.TransactionState

/** A change of a followed transaction, from a tracking response. */
type Change = {
  /** The state to record. */
  readonly state: State | undefined
  /** The data of the event; undefined without one. */
  readonly event: Tracked | undefined
  /** Whether another change follows at once. */
  readonly hasMore: boolean
}

/**
 * Returns the next change of a followed transaction. A response may contain several changes, and each is recorded with
 * its event.
 *
 * @param previous the recorded state; undefined before the first observation
 */
export function findChange(previous: State | undefined, tracked: Tracked): Change {
  const [next, ...later] = listTransitions(previous, tracked)
  if (!next) return { state: previous, event: undefined, hasMore: false }
  const state = TransactionState.from(next)
  // The current state of a reorganised transaction follows as a second change.
  const hasMore = state.status === 'reorged' || later.length > 0
  if (isHidden(state)) return { state: isLost(previous) ? previous : state, event: undefined, hasMore }
  return { state, event: isEvent(previous, state) ? next : undefined, hasMore }
}

/** Returns the public status of a state; undefined until a node has the transaction. */
export function toPublicStatus(state: State | undefined): TransactionState.Status | undefined {
  return state && !isHidden(state) ? state.status : undefined
}

function isHidden(state: State): boolean {
  return state.status === 'pending' && state.visibility !== 'visible'
}

/**
 * Returns whether a response from a node without the transaction changes nothing, because another node had the
 * transaction, or it is dropped.
 */
function isLost(previous: State | undefined): boolean {
  return previous?.status === 'pending' || previous?.status === 'dropped'
}

/** Returns whether a transition is an event. A failure or a replacement is an event again only when it is finalized. */
function isEvent(previous: State | undefined, state: State): boolean {
  const isMoreFinal = previous !== undefined && TransactionState.compare(state, previous) === 1
  return !isMoreFinal || !['failed', 'replaced'].includes(state.status) || TransactionState.isFinal(state)
}
