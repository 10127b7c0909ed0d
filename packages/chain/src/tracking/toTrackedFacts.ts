import type { TransactionState } from '@agio/core'
import type { Deployment } from '../deployment/Deployment.ts'
import type { FinalityHeads } from './createFinality.ts'
import { describeCall } from './describeCall.ts'
import type { NonceBounds } from './findNonceUse.ts'
import type { SeenTransaction } from './readSighting.ts'
import type { BlockReference, TransactionFacts } from './TransactionFacts.ts'

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
