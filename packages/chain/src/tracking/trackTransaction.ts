import { Errors, type ServiceError, type TransactionState } from '@agio/core'
import type { Hex } from 'viem'
import type { Deployment } from '../deployment/Deployment.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import { toHead, type Head } from '../head/Head.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { readIsUsed } from '../transaction/readIsUsed.ts'
import { readReceipt, type Receipt } from '../transaction/readReceipt.ts'
import { judgeFinality, type BlockFinality, type Finality, type FinalityHeads } from './createFinality.ts'
import { compareCalls, type ReplacementKind } from './describeCall.ts'
import { findDropped, type DroppedState } from './findDropped.ts'
import { findNonceUse, type MinedTransaction, type NonceBounds } from './findNonceUse.ts'
import { findElsewhere, readSighting, type SeenTransaction, type Sighting, type TrackingRpc } from './readSighting.ts'
import { toTrackedFacts, type BlockReference, type TransactionFacts } from './TransactionFacts.ts'

// After this time, a pending transaction that no node has is reported as unseen.
const unseenAfterSeconds = 3600n

/** The state of a transaction. */
type TrackedState =
  | {
      readonly status: 'pending'
      readonly visibility: TransactionState.Visibility
      /** The bounds of an incomplete search for the transaction that used the nonce. */
      readonly bounds?: NonceBounds | undefined
    }
  | ({ readonly status: 'mined' } & MinedState)
  | {
      readonly status: 'replaced'
      /** The transaction that used the nonce. Undefined if the code of the account used it. */
      readonly winner: (MinedState & { readonly hash: Hex; readonly kind: ReplacementKind | undefined }) | undefined
    }
  | DroppedState

/** A mined transaction: its receipt, its block, and how final the block is. */
export type MinedState = BlockFinality & {
  readonly receipt: Receipt
  readonly block: Head
  /** The number of nodes that have the receipt. Only if it is finalized and the chain has several nodes. */
  readonly witnesses?: number
}

/** The state of a transaction, and the facts to pass to the next call. */
export type TrackedTransaction = {
  readonly state: TrackedState
  /** The facts to pass to the next call; undefined if the sender is unknown. */
  readonly facts: TransactionFacts | undefined
  /** The block that last contained the transaction and no longer does. */
  readonly left?: BlockReference | undefined
}

// A second in total. A node may need a moment to receive a transaction or to index a block.
const delaysMs = [100, 200, 300, 400]
// Answers contradict each other if a block arrives between them.
const observedDelaysMs = [100]

/**
 * Finds the state of a transaction: pending, mined and how final, replaced, dropped, or removed from its block by a
 * reorganisation. The function keeps no state: the result follows from the chain, the nodes and the caller's facts.
 *
 * @throws `svc/transaction-not-found` if no node has the transaction and its sender is unknown; `svc/invalid-request`
 * if the given sender or nonce is not the transaction's
 */
export async function trackTransaction(
  dependencies: trackTransaction.Dependencies,
  options: trackTransaction.Options,
): Promise<TrackedTransaction> {
  const { hash, observed = false } = options
  let found = await findOnce(dependencies, options, observed ? dependencies.findHead() : undefined)
  for (const delayMs of observed ? observedDelaysMs : delaysMs) {
    // An observation is repeated anyway, so it does not wait for a transaction that no node has.
    if (typeof found === 'object' || (observed && found === 'not-found')) break
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    found = await findOnce(dependencies, options)
  }
  if (typeof found === 'object') return found
  if (found === 'contradiction') throw toTrackingError(hash, 'the answers of the nodes contradict each other')
  const reason = 'no node knows it; pass from and nonce, or signedTransaction, to track it'
  throw Errors.transactionNotFound({ hash, reason })
}

function toTrackingError(hash: Hex, reason: string): ServiceError {
  return Errors.upstreamError({ action: `track transaction ${hash}`, reason })
}

export declare namespace trackTransaction {
  type Dependencies = {
    readonly rpc: TrackingRpc
    readonly finality: Finality
    /** The router and the pools. */
    readonly deployment: Deployment
    /** Returns the newest block of any node, from memory. */
    readonly findHead: () => Head | undefined
  }
  type Options = {
    readonly hash: Hex
    readonly facts?: TransactionFacts | undefined
    /** Whether the transaction is tracked repeatedly. Its first attempt then uses the newest block in memory. */
    readonly observed?: boolean | undefined
    readonly search?: SearchCosts | undefined
  }
}

/** The costs of a search for the transaction that used the nonce, of up to `Tier.searchNodeRequests` reads. */
type SearchCosts = {
  /** Charges the caller before the search, and may wait. */
  readonly begin: () => Promise<void>
  /** Called before each read of the search. */
  readonly onRead?: (() => void) | undefined
}

/** Finds the state of a transaction once. If the node does not show it, other nodes are asked. */
async function findOnce(
  dependencies: trackTransaction.Dependencies,
  options: trackTransaction.Options,
  head?: Head,
): Promise<Found> {
  const { rpc, findHead } = dependencies
  const found = await findState(dependencies, options, { head })
  if (!isHidden(found)) return found
  const shown = await findElsewhere(rpc, options.hash, async ({ rpc: other, seen }) => {
    const elsewhere = await findState({ ...dependencies, rpc: other }, options, { head: findHead(), seen })
    return typeof elsewhere === 'object' && !isHidden(elsewhere) ? elsewhere : undefined
  })
  return shown ?? found
}

/** The state of a transaction. Or no node has it, or the responses of the node contradict each other. */
type Found = TrackedTransaction | 'not-found' | 'contradiction'

/**
 * Returns whether another node may show more about a transaction. If its nonce is used, or another block has replaced its
 * block, the node has shown what became of it.
 */
function isHidden(found: Found): boolean {
  if (typeof found === 'string') return true
  const { state, left } = found
  return state.status === 'pending' && state.visibility !== 'visible' && !state.bounds && !left
}

/** Returns the state of a transaction that a node shows. */
async function findState(
  dependencies: trackTransaction.Dependencies,
  { hash, facts, search }: trackTransaction.Options,
  known: Pick<readSighting.Options, 'head' | 'seen'>,
): Promise<Found> {
  const blockNumber = facts?.included?.number
  const sender = { from: facts?.from, nonce: facts?.nonce }
  const sighting = await readSighting(dependencies, { hash, ...sender, blockNumber, ...known })
  const { transaction } = sighting
  if (facts && transaction) assertMatches(hash, facts, transaction)
  const absence = sighting.receipt ? undefined : findAbsence(dependencies, { facts, sighting })
  // Before the search for a replacement, which costs up to 32 requests.
  if (absence === 'unknown') return 'contradiction'
  const state = sighting.receipt
    ? await findMined(dependencies.rpc, sighting.receipt, sighting.heads)
    : await findUnmined(dependencies, { hash, facts, search, sighting })
  if (!state) return facts || transaction || sighting.receipt ? 'contradiction' : 'not-found'
  const left = state.status === 'mined' ? findEarlier(facts, state) : absence
  return {
    state,
    facts: toTrackedFacts(dependencies, { facts, transaction, state, heads: sighting.heads }),
    ...(left && { left }),
  }
}

function assertMatches(hash: Hex, { from, nonce, call }: TransactionFacts, transaction: SeenTransaction): void {
  const wrong = (field: string, value: string | number, actual: string | number) => {
    // The values of a cursor and of a signed transaction are not fields of the request.
    const named = call ? { field: 'cursor' } : { field, value }
    const reason = `its ${field} is ${actual}, not ${value}`
    return Errors.invalidRequest({ ...named, action: `track transaction ${hash}`, reason })
  }
  if (transaction.from !== from) throw wrong('from', from, transaction.from)
  if (transaction.nonce !== nonce) throw wrong('nonce', nonce, transaction.nonce)
}

/** Returns the state of a mined transaction; undefined if its block is replaced in the meantime. */
async function findMined(
  rpc: Pick<Rpc, 'client'>,
  receipt: Receipt,
  heads: FinalityHeads,
): Promise<TrackedMined | undefined> {
  const block = await readBlock(rpc, receipt.blockHash, heads.latest)
  return block && { status: 'mined', receipt, block, ...judgeFinality(heads, receipt.blockNumber) }
}

type TrackedMined = Extract<TrackedState, { status: 'mined' }>

async function readBlock({ client }: Pick<Rpc, 'client'>, hash: Hex, latest: Head): Promise<Head | undefined> {
  if (latest.hash === hash) return latest
  const block = await client.request({ method: 'eth_getBlockByHash', params: [hash, false] }).catch(rethrowUpstream)
  return block ? toHead(block) : undefined
}

type Unmined = Omit<trackTransaction.Options, 'observed'> & { readonly sighting: Sighting }

async function findUnmined(
  dependencies: trackTransaction.Dependencies,
  { hash, facts, search, sighting }: Unmined,
): Promise<TrackedState | undefined> {
  const { transaction, nonces, heads } = sighting
  if (transaction?.isMined === true) return undefined
  if (transaction) return { status: 'pending', visibility: 'visible' }
  if (!facts || !nonces) return undefined
  if (nonces.latest > facts.nonce) {
    await search?.begin()
    // The caller may have waited for many blocks, or have read a block that is not in memory yet.
    const head = search && dependencies.findHead()
    const isNewer = head !== undefined && head.number > heads.latest.number
    const present = isNewer ? await dependencies.finality.read(dependencies.rpc, head) : heads
    return await findReplaced(dependencies, { hash, facts, heads: present, onRead: search?.onRead })
  }
  if (nonces.latest === facts.nonce && nonces.pending > facts.nonce) {
    return { status: 'pending', visibility: 'contested' }
  }
  const dropped = await findDropped(dependencies.rpc, { facts, latest: heads.latest, head: dependencies.findHead() })
  if (dropped) return dropped
  const { unseenSinceSeconds = heads.latest.timestampSeconds } = facts
  const isUnseen = heads.latest.timestampSeconds - unseenSinceSeconds >= unseenAfterSeconds
  return { status: 'pending', visibility: isUnseen ? 'unseen' : 'hidden' }
}

type Replaced = Pick<SearchCosts, 'onRead'> & {
  readonly hash: Hex
  readonly facts: TransactionFacts
  readonly heads: FinalityHeads
}

/**
 * Returns the state of a transaction whose nonce is used. Returns undefined if the transaction itself is mined, or if
 * the winner's block is replaced in the meantime.
 */
async function findReplaced(
  { rpc, deployment }: trackTransaction.Dependencies,
  { hash, facts, heads, onRead }: Replaced,
): Promise<TrackedState | undefined> {
  const { from, nonce, unusedAt, usedBy } = facts
  const winner = await findNonceUse(rpc, { from, nonce, unusedAt, usedBy, usedAt: heads.latest.number, onRead })
  // Either the nonce was used after the newest block was read, or the transaction was mined after its receipt was read.
  if (winner === 'unused' || (typeof winner === 'object' && 'hash' in winner && winner.hash === hash)) return undefined
  if (winner === 'none') return { status: 'replaced', winner: undefined }
  if (winner === 'no-state') {
    if (await readReceipt(rpc, hash)) return undefined
    // No node can show which transaction used the nonce. The transaction is replaced once that is final.
    const final = heads.finalized.lastNumber
    const isFinal = usedBy === undefined || usedBy > final ? await readIsUsed(rpc, facts, final) : true
    if (isFinal === true) return { status: 'replaced', winner: undefined }
    return { status: 'pending', visibility: 'hidden', bounds: { unusedAt, usedBy: usedBy ?? heads.latest.number } }
  }
  if ('usedBy' in winner) return { status: 'pending', visibility: 'hidden', bounds: winner }
  const mined = await findWinner(rpc, { winner, facts, heads, deployment })
  return mined && { status: 'replaced', winner: mined }
}

type WinnerSearch = Pick<Replaced, 'facts' | 'heads'> & {
  readonly winner: MinedTransaction
  readonly deployment: Deployment
}

async function findWinner(rpc: Pick<Rpc, 'client'>, { winner, facts, heads, deployment }: WinnerSearch) {
  const receipt = await readReceipt(rpc, winner.hash)
  if (!receipt || receipt.blockHash !== winner.block.hash) return undefined
  const { hash, block } = winner
  return {
    hash,
    kind: compareCalls(facts.call, winner, deployment),
    receipt,
    block,
    ...judgeFinality(heads, block.number),
  }
}

/** Returns the block that contained a mined transaction before its present block; undefined without such a block. */
function findEarlier(facts: TransactionFacts | undefined, { block }: TrackedMined): BlockReference | undefined {
  return facts?.included?.hash === block.hash ? undefined : facts?.included
}

/**
 * Returns the block that contained a transaction that is not mined now; undefined without such a block, or if that block
 * does not list the transaction, so that the cursor is wrong. Returns `unknown` if the node lags behind that block or
 * contradicts itself.
 */
function findAbsence(
  { findHead }: trackTransaction.Dependencies,
  { facts, sighting }: Pick<Unmined, 'facts' | 'sighting'>,
): BlockReference | 'unknown' | undefined {
  const included = facts?.included
  if (!included) return undefined
  const { canonical } = sighting
  if (canonical?.hash === included.hash) return canonical.hasTransaction ? 'unknown' : undefined
  if (canonical) return included
  const head = findHead()
  return head && head.number < included.number ? included : 'unknown'
}
