import { Errors, type Address, type TransactionState } from '@agio/core'
import type { Hex } from 'viem'
import type { Deployment } from '../deployment/Deployment.ts'
import type { Head } from '../head/Head.ts'
import type { SignedTransaction } from '../transaction/decodeSigned.ts'
import type { FinalityHeads } from './createFinality.ts'
import { describeCall, type CallDescription } from './describeCall.ts'
import type { NonceBounds } from './findNonceUse.ts'
import type { SeenTransaction } from './readSighting.ts'

/** The facts that a caller keeps between two calls. Nodes forget a transaction once another takes its nonce. */
export type TransactionFacts = {
  readonly from: Address
  readonly nonce: number
  /** What the transaction does; undefined if only sender and nonce are known. */
  readonly call?: CallDescription | undefined
  /** The block that last contained the transaction. */
  readonly included?: BlockReference | undefined
  /** A block after which the transaction's nonce was not used yet. */
  readonly unusedAt?: bigint | undefined
  /** A block after which the nonce was used, from a search that was incomplete. */
  readonly usedBy?: bigint | undefined
  /** Unix seconds: the time of the block since which no node has the transaction, while it is pending. */
  readonly unseenSinceSeconds?: bigint | undefined
}

/** A block by its number and hash. */
export type BlockReference = Pick<Head, 'number' | 'hash'>

/** Returns the facts about a signed transaction. @throws `svc/invalid-request` if it has another hash */
export function toSignedFacts(
  signed: SignedTransaction,
  { hash, deployment }: { readonly hash: Hex; readonly deployment: Deployment },
): TransactionFacts {
  const { from, nonce } = signed
  if (signed.hash === hash) return { from, nonce, call: describeCall(signed, deployment) }
  const reason = `the signed transaction has the hash ${signed.hash}`
  throw Errors.invalidRequest({ field: 'signedTransaction', action: `use the bytes of transaction ${hash}`, reason })
}

type FactSources = {
  readonly facts: TransactionFacts | undefined
  readonly transaction: SeenTransaction | undefined
  readonly state: KnownState
  readonly heads: FinalityHeads
}

/** The parts of a state that facts follow from. */
type KnownState =
  | {
      readonly status: 'pending'
      readonly visibility: TransactionState.Visibility
      readonly bounds?: NonceBounds | undefined
    }
  | { readonly status: 'mined'; readonly block: BlockReference }
  | { readonly status: 'replaced' | 'dropped' }

/** Returns the facts to pass to the next tracking of a transaction; undefined if its sender is unknown. */
export function toTrackedFacts(
  { deployment }: { readonly deployment: Deployment },
  { facts, transaction, state, heads }: FactSources,
): TransactionFacts | undefined {
  const sender = transaction ?? facts
  if (!sender) return undefined
  const { from, nonce } = sender
  const included = state.status === 'mined' ? { number: state.block.number, hash: state.block.hash } : undefined
  // The nonce of a pending transaction is not used yet. After a reorganisation, the search starts from an earlier
  // block.
  const bounds = state.status === 'pending' ? state.bounds : undefined
  const isUnused = state.status === 'pending' && !bounds
  const unusedAt = isUnused ? heads.latest.number : (bounds?.unusedAt ?? facts?.unusedAt)
  const usedBy = bounds?.usedBy
  const isSeen = state.status !== 'pending' || state.visibility === 'visible'
  const unseenSinceSeconds = isSeen ? undefined : (facts?.unseenSinceSeconds ?? heads.latest.timestampSeconds)
  return {
    from,
    nonce,
    call: transaction ? describeCall(transaction, deployment) : facts?.call,
    ...(included && { included }),
    ...(unusedAt !== undefined && { unusedAt }),
    ...(usedBy !== undefined && { usedBy }),
    ...(unseenSinceSeconds !== undefined && { unseenSinceSeconds }),
  }
}
