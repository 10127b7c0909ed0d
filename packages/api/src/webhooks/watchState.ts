import { TransactionState } from '@agio/core'
import { listTransitions, type Tracked } from '../tracking/listTransitions.ts'

type State = TransactionState.TransactionState

/** What a response of a followed transaction changes. */
type Change = {
  /** The state to record. */
  readonly state: State | undefined
  /** The data of the event; undefined without one. */
  readonly event: Tracked | undefined
  /** Whether another change follows at once. */
  readonly hasMore: boolean
}

/**
 * Returns the next change of a followed transaction, of which a response may contain several: each is recorded with its event.
 *
 * @param previous the recorded state; undefined before the first
 */
export function findChange(previous: State | undefined, tracked: Tracked): Change {
  const [next, ...later] = listTransitions(previous, tracked)
  if (!next) return { state: previous, event: undefined, hasMore: false }
  const state = TransactionState.from(next)
  // The present state of a reorganised transaction follows.
  const hasMore = state.status === 'reorged' || later.length > 0
  if (isHidden(state)) return { state: isLost(previous) ? previous : state, event: undefined, hasMore }
  return { state, event: isEvent(previous, state) ? next : undefined, hasMore }
}

/** Returns whether a finalized block decided the transaction. A dropped one is followed further: a node may still bring it. */
export function isFinal(state: State | undefined): boolean {
  return state !== undefined && TransactionState.finalityOf(state) === 'finalized'
}

/** Returns the public status of a state; undefined before any node had the transaction. */
export function toPublicStatus(state: State | undefined): TransactionState.Status | undefined {
  return state && !isHidden(state) ? state.status : undefined
}

function isHidden(state: State): boolean {
  return state.status === 'pending' && state.visibility !== 'visible'
}

/** Returns whether a node that does not have the transaction changes nothing: another node had it, or it is dropped. */
function isLost(previous: State | undefined): boolean {
  return previous?.status === 'pending' || previous?.status === 'dropped'
}

/** Returns whether a transition is an event. A failure or a replacement is one again only once it is finalized. */
function isEvent(previous: State | undefined, state: State): boolean {
  const isMoreFinal = previous !== undefined && TransactionState.compare(state, previous) === 1
  return !isMoreFinal || !['failed', 'replaced'].includes(state.status) || isFinal(state)
}
