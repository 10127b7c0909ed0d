import type { Chain, KnownTransaction } from '@agio/chain'
import { ServiceError } from '@agio/core'
import type { ClaimedWatch, Observation, ObservedHead, WebhookEvent } from '@agio/store'
import type { Tracked } from '../transaction/listTransitions.ts'
import { parseCursor } from '../transaction/trackingCursor.ts'
import { toTrackResponse } from '../transaction/trackResponse.ts'
import { formatEvent } from './events.ts'
import { findChange, isFinal } from './watchState.ts'

const minuteMs = 60_000

/**
 * Observes a followed transaction once.
 *
 * @throws `svc/upstream-*` if no node answers
 */
export async function observeTransaction(
  chain: Chain,
  watch: ClaimedWatch,
  { head, nowMs, intervalMs }: observeTransaction.Options,
): Promise<Observation> {
  const { transactionHash: hash } = watch
  const tracked = await findKnown(chain, watch)
    .then((known) => chain.transactions.track({ hash, known }))
    .catch(refuseUnknown)
  if (!tracked) return { cursor: watch.cursor, state: undefined, head, nextInMs: undefined, event: undefined }
  const { cursor, ...present } = await toTrackResponse(chain, hash, tracked)
  const { state, event, hasMore } = findChange(watch.state, present)
  return {
    cursor,
    state,
    head: hasMore ? { ...head, hash: '' } : head,
    nextInMs: hasMore ? 0 : findNextMs(watch, { state, intervalMs }),
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

async function findKnown(
  chain: Chain,
  { cursor, signedTransaction, transactionHash }: ClaimedWatch,
): Promise<KnownTransaction | undefined> {
  if (cursor !== undefined) return parseCursor(cursor).known
  return signedTransaction && (await chain.transactions.readSigned(signedTransaction, transactionHash))
}

function toEvent(data: Tracked, nowMs: number): WebhookEvent {
  const type = `transaction.${data.status}` as const
  return { type, payload: formatEvent({ type, data }, nowMs) }
}

/** Returns undefined while no node knows the transaction and its sender and nonce do not identify it. */
function refuseUnknown(error: unknown): undefined {
  const { code } = error instanceof ServiceError ? error : {}
  if (code !== 'svc/invalid-request' && code !== 'svc/transaction-not-found') throw error
}

/** The longest time for which a transaction is followed. */
export const maxWatchAgeMs = 7 * 24 * 60 * minuteMs

/**
 * Returns the delay until the next observation, which is longer for older and dropped transactions. Returns undefined
 * for final and week-old transactions, which are not observed again.
 */
function findNextMs(
  { ageMs }: ClaimedWatch,
  { state, intervalMs }: { readonly state: Observation['state']; readonly intervalMs: number },
): number | undefined {
  if (isFinal(state) || ageMs > maxWatchAgeMs) return undefined
  if (ageMs < 10 * minuteMs && state?.status !== 'dropped') return intervalMs
  return intervalMs * (ageMs < 60 * minuteMs ? 5 : 60)
}
