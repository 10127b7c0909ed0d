import type { Chain, KnownTransaction, TrackedTransaction, TransactionFacts } from '@agio/chain'
import { ServiceError, Tier, TransactionState } from '@agio/core'
import type { ClaimedTransaction, Observation, ObservedHead, WebhookEvent } from '@agio/store'
import type { Hex } from 'viem'
import { type Tracked, toTrackResponse } from '../transaction/trackResponse.ts'
import { parseCursor } from '../transaction/trackingCursor.ts'
import { formatEvent } from './events.ts'
import { findChange } from './followedTransaction.ts'

const minuteMs = 60_000

/**
 * Observes a followed transaction once. The nodes are asked about it only if a new block concerns it, or when a poll is due.
 *
 * @throws `svc/upstream-*` if no node answers; the errors of `charge`
 */
export async function observeTransaction(
  chain: Chain,
  transaction: ClaimedTransaction,
  options: Options,
): Promise<Observation> {
  const { head, nowMs, intervalMs, charge } = options
  if (!transaction.isPollDue && !(await isConcerned(chain, transaction))) {
    const { cursor, state, decidedBlock } = transaction
    const { nextInMs } = findSchedule(transaction, { state, intervalMs, unseenMs: undefined }) ?? {}
    return { cursor, state, decidedBlock, head, nextInMs, event: undefined }
  }
  await charge()
  const { transactionHash: hash } = transaction
  const search = { begin: () => charge(Tier.searchNodeRequests) }
  const tracked = await findIdentity(chain, transaction)
    .then((facts) => chain.transactions.track({ hash, facts, observed: true, search }))
    .catch(toUndefinedIfUnknown)
  if (!tracked) return { cursor: transaction.cursor, state: undefined, head, nextInMs: undefined, event: undefined }
  const { cursor, ...present } = await toTrackResponse(chain, hash, tracked)
  const { state, event, hasMore } = findChange(transaction.state, present)
  const { blockNumber } = present.replacement ?? present
  const schedule = findSchedule(transaction, { state, intervalMs, unseenMs: findUnseenMs(tracked, nowMs) })
  return {
    cursor,
    state,
    decidedBlock: blockNumber === undefined ? undefined : BigInt(blockNumber),
    head: hasMore ? { ...head, hash: '' } : head,
    nextInMs: hasMore ? 0 : schedule?.nextInMs,
    pollInMs: hasMore ? 0 : schedule?.pollInMs,
    event: event && toEvent(event, nowMs),
  }
}

type Options = {
  /** The newest block. */
  readonly head: ObservedHead
  readonly nowMs: number
  /** The interval between two observations of a new transaction. Each needs a new block. */
  readonly intervalMs: number
  /** Charges the key before the nodes are asked. Default: for a poll. */
  readonly charge: (count?: number) => Promise<void>
}

/** Returns whether a block since the last observation may have changed the state of a transaction. */
async function isConcerned(chain: Chain, transaction: ClaimedTransaction): Promise<boolean> {
  const { checkedHash } = transaction
  if (checkedHash === undefined) return true
  // If the newest block cannot be read, a node may still have the transaction.
  const news = await chain.transactions.findNews(toKnown(transaction), checkedHash as Hex).catch(() => 'unknown')
  return news !== 'none'
}

/** Returns what blocks are compared with: the nonce of a pending transaction, or the block that decided it. */
function toKnown({ transactionHash: hash, cursor, state, decidedBlock }: ClaimedTransaction): KnownTransaction {
  const finality = state && TransactionState.finalityOf(state)
  if (finality !== undefined && decidedBlock !== undefined) return { hash, blockNumber: decidedBlock, finality }
  if (state?.status !== 'pending' || cursor === undefined) return { hash }
  const { from, nonce } = parseCursor(cursor).facts
  return { hash, from, nonce }
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

const { minMs: minPollMs, maxMs: maxPollMs } = Tier.pollIntervals

type Observed = {
  readonly state: Observation['state']
  readonly intervalMs: number
  /** How long no node has had the transaction; undefined if a node has it. */
  readonly unseenMs: number | undefined
}

/** The delays until the next observation, and until the nodes are asked even if no block concerns the transaction. */
type Schedule = { readonly nextInMs: number; readonly pollInMs: number }

/**
 * Returns when a transaction is observed next, which is later for older, dropped and unseen transactions. Returns undefined
 * for final and week-old transactions, which are not observed again.
 */
function findSchedule({ ageMs }: ClaimedTransaction, observed: Observed): Schedule | undefined {
  const { state, intervalMs, unseenMs } = observed
  if ((state && TransactionState.isFinal(state)) || ageMs > maxFollowedMs) return undefined
  // The delay doubles each time.
  const pollInMs = Math.min(maxPollMs, minPollMs + (unseenMs ?? ageMs))
  const isDecided = state !== undefined && TransactionState.finalityOf(state) !== undefined
  const isVisible = state?.status === 'pending' && state.visibility === 'visible'
  // A block that contains the transaction ends this delay.
  if (unseenMs !== undefined || !(isDecided || isVisible)) return { nextInMs: pollInMs, pollInMs }
  const nextInMs = intervalMs * (ageMs < 10 * minuteMs ? 1 : ageMs < 60 * minuteMs ? 5 : 60)
  // The blocks show each further change of a transaction that a block has decided.
  return { nextInMs, pollInMs: isDecided ? maxFollowedMs : pollInMs }
}

function findUnseenMs({ facts }: TrackedTransaction, nowMs: number): number | undefined {
  const since = facts?.unseenSinceSeconds
  return since === undefined ? undefined : nowMs - Number(since) * 1000
}
