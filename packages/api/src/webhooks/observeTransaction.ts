import type { Chain, KnownTransaction } from '@agio/chain'
import { ServiceError } from '@agio/core'
import type { ClaimedWatch, Observation, ObservedHead } from '@agio/store'
import { listTransitions } from '../tracking/listTransitions.ts'
import { parseCursor } from '../tracking/trackingCursor.ts'
import { toTrackResponse } from '../tracking/trackResponse.ts'
import { formatEvent } from './events.ts'
import { isFinal, isTransition, toWatchState } from './watchState.ts'

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
  if (!tracked) return { cursor: watch.cursor, status: 'unknown', head, nextInMs: undefined, event: undefined }
  const { cursor, ...present } = await toTrackResponse(chain, hash, tracked)
  // One at a time: each is recorded with the state after it.
  const [next, ...later] = watch.status === undefined ? [] : listTransitions(watch.status, present)
  const data = next ?? present
  const status = toWatchState(data, watch.status)
  const type = `transaction.${data.status}` as const
  // What follows is observed at once: where a reorganised transaction is now, or its next step.
  const hasMore = data.status === 'reorged' || later.length > 0
  return {
    cursor,
    status,
    head: hasMore ? { ...head, hash: '' } : head,
    nextInMs: hasMore ? 0 : findNextMs(watch, { status, intervalMs }),
    event: isTransition(watch.status, status) ? { type, payload: formatEvent({ type, data }, nowMs) } : undefined,
  }
}

export declare namespace observeTransaction {
  type Options = {
    /** The newest block. */
    readonly head: ObservedHead
    readonly nowMs: number
    /** How often a new transaction is observed, if there are blocks. */
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

/** Returns undefined for a transaction that is none that its sender and nonce name, which only a node may show later. */
function refuseUnknown(error: unknown): undefined {
  const { code } = error instanceof ServiceError ? error : {}
  if (code !== 'svc/invalid-request' && code !== 'svc/transaction-not-found') throw error
}

/** How long a transaction is followed at most. */
export const maxWatchAgeMs = 7 * 24 * 60 * minuteMs

/** Older transactions, and dropped ones, are observed less often; those that are final, or a week old, no longer. */
function findNextMs(
  { ageMs }: ClaimedWatch,
  { status, intervalMs }: { readonly status: string; readonly intervalMs: number },
): number | undefined {
  if (isFinal(status) || ageMs > maxWatchAgeMs) return undefined
  if (ageMs < 10 * minuteMs && status !== 'dropped') return intervalMs
  return intervalMs * (ageMs < 60 * minuteMs ? 5 : 60)
}
