import type { trackResponse, TrackedStatus } from '../tracking/trackResponse.ts'
import type { z } from 'zod'

/**
 * The state of a followed transaction, as it is stored: its status, how final the block is that decided it, and what replaced it.
 * `unseen` before any node had it; `unknown` if it is none that its sender and nonce name.
 */
export type WatchState = string

type Tracked = z.output<typeof trackResponse>

/** Returns the state that a tracking shows, after the previous one. */
export function toWatchState(tracked: Tracked, previous: WatchState | undefined): WatchState {
  const next = formatState(tracked)
  // A node that lags behind shows an earlier state: what undoes one is a reorganisation, which has a state of its own.
  return previous !== undefined && isEarlier(next, previous) ? previous : next
}

/** Returns whether an observation from one state to the next is an event. */
export function isTransition(previous: WatchState | undefined, next: WatchState): boolean {
  if (next === previous || next === 'unseen') return false
  const [one, other] = [parse(previous ?? ''), parse(next)]
  // What failed or was replaced is an event, and again once that is final.
  const isSame = one.status === other.status && one.winner === other.winner
  return !isSame || other.finality === 'finalized'
}

/** Returns whether nothing can happen to a transaction any more. */
export function isFinal(state: WatchState): boolean {
  const { status, finality } = parse(state)
  // A dropped one may be seen again: a node that lags behind has answered, or it is mined after its deadline and reverts.
  return ['finalized', 'unknown'].includes(status) || finality === 'finalized'
}

/** Returns the public status of a state; undefined before any node had the transaction. */
export function toTrackedStatus(state: WatchState | undefined): TrackedStatus | undefined {
  if (state === undefined || state === 'unseen' || state === 'unknown') return undefined
  return parse(state).status as TrackedStatus
}

function formatState({ status, visible, finality, replacement }: Tracked): WatchState {
  if (status === 'pending') return visible === true ? 'pending' : 'unseen'
  if (status === 'failed') return `failed/${finality}`
  if (status === 'replaced')
    return `replaced/${replacement?.finality ?? 'included'}/${replacement?.transactionHash ?? ''}`
  return status
}

const ranks: readonly string[] = ['included', 'safe', 'finalized']

function isEarlier(next: WatchState, previous: WatchState): boolean {
  if (next === 'unseen') return previous === 'pending' || previous === 'dropped'
  const [one, other] = [parse(previous), parse(next)]
  if (ranks.includes(one.status) && ranks.includes(other.status)) {
    return ranks.indexOf(other.status) < ranks.indexOf(one.status)
  }
  if (one.status !== other.status || one.winner !== other.winner) return false
  return ranks.indexOf(other.finality) < ranks.indexOf(one.finality)
}

function parse(state: WatchState) {
  const [status = '', finality = '', winner = ''] = state.split('/')
  return { status, finality, winner }
}
