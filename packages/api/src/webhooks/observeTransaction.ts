import type { Chain, TrackedTransaction, TransactionFacts } from '@agio/chain'
import { ServiceError, Tier } from '@agio/core'
import type { ClaimedTransaction, Observation, ObservedHead, WebhookEvent } from '@agio/store'
import { type Tracked, toTrackResponse } from '../transaction/trackResponse.ts'
import { parseCursor } from '../transaction/trackingCursor.ts'
import { formatEvent } from './events.ts'
import { findChange, isFinal } from './followedTransaction.ts'

const minuteMs = 60_000

/**
 * Observes a followed transaction once.
 *
 * @throws `svc/upstream-*` if no node answers
 */
export async function observeTransaction(
  chain: Chain,
  transaction: ClaimedTransaction,
  { head, nowMs, intervalMs }: observeTransaction.Options,
): Promise<Observation> {
  const { transactionHash: hash } = transaction
  const tracked = await findIdentity(chain, transaction)
    .then((facts) => chain.transactions.track({ hash, facts, observed: true }))
    .catch(toUndefinedIfUnknown)
  if (!tracked) return { cursor: transaction.cursor, state: undefined, head, nextInMs: undefined, event: undefined }
  const { cursor, ...present } = await toTrackResponse(chain, hash, tracked)
  const { state, event, hasMore } = findChange(transaction.state, present)
  return {
    cursor,
    state,
    head: hasMore ? { ...head, hash: '' } : head,
    nextInMs: hasMore ? 0 : findNextMs(transaction, { state, intervalMs, unseenMs: findUnseenMs(tracked, nowMs) }),
    event: event && toEvent(event, nowMs),
  }
}

export declare namespace observeTransaction {
  type Options = {
    /** The newest block. */
    readonly head: ObservedHead
    readonly nowMs: number
    /** The interval between two observations of a new transaction. Each needs a new block. */
    readonly intervalMs: number
  }
}

async function findIdentity(
  chain: Chain,
  { cursor, signedTransaction, transactionHash }: ClaimedTransaction,
): Promise<TransactionFacts | undefined> {
  if (cursor !== undefined) return parseCursor(cursor).facts
  return signedTransaction && (await chain.transactions.readSigned(signedTransaction, transactionHash))
}

function toEvent(data: Tracked, nowMs: number): WebhookEvent {
  const type = `transaction.${data.status}` as const
  return { type, payload: formatEvent({ type, data }, nowMs) }
}

/** Returns undefined while no node knows the transaction and its sender and nonce do not identify it. */
function toUndefinedIfUnknown(error: unknown): undefined {
  const { code } = error instanceof ServiceError ? error : {}
  if (code !== 'svc/invalid-request' && code !== 'svc/transaction-not-found') throw error
}

/** The longest time for which a transaction is followed. */
export const maxFollowedMs = 7 * 24 * 60 * minuteMs

const { minMs: minUnseenMs, maxMs: maxUnseenMs } = Tier.lookIntervals

type Observed = {
  readonly state: Observation['state']
  readonly intervalMs: number
  /** How long no node has had the transaction; undefined if a node has it. */
  readonly unseenMs: number | undefined
}

/**
 * Returns the delay until the next observation, which is longer for older, dropped and unseen transactions. Returns
 * undefined for final and week-old transactions, which are not observed again.
 */
function findNextMs({ ageMs }: ClaimedTransaction, { state, intervalMs, unseenMs }: Observed): number | undefined {
  if (isFinal(state) || ageMs > maxFollowedMs) return undefined
  // The delay doubles each time. A block with the transaction ends it.
  if (unseenMs !== undefined) return Math.min(maxUnseenMs, Math.max(minUnseenMs, unseenMs))
  if (ageMs < 10 * minuteMs && state?.status !== 'dropped') return intervalMs
  return intervalMs * (ageMs < 60 * minuteMs ? 5 : 60)
}

function findUnseenMs({ facts }: TrackedTransaction, nowMs: number): number | undefined {
  const since = facts?.unseenSinceSeconds
  return since === undefined ? undefined : nowMs - Number(since) * 1000
}
