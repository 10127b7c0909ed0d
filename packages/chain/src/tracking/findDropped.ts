import type { Head } from '../head/Head.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { readIsUsed } from '../transaction/readIsUsed.ts'
import type { TransactionFacts } from './TransactionFacts.ts'

/** The state of a transaction whose deadline has passed before a block at which its nonce is unused. */
export type DroppedState = {
  readonly status: 'dropped'
  readonly deadlineSeconds: bigint
  /** A block after the deadline, at which the nonce is unused. */
  readonly blockNumber: bigint
}

/**
 * Returns the state of a dropped transaction that no node has; undefined if it is not dropped. The block that decides is not
 * after the head of the service, because a node may announce a future block, and a node that is behind does not have it.
 */
export async function findDropped(
  rpc: Pick<Rpc, 'client'>,
  { facts, latest, head }: findDropped.Options,
): Promise<DroppedState | undefined> {
  const deadlineSeconds = facts.call?.deadlineSeconds
  if (!head || deadlineSeconds === undefined) return undefined
  const block = latest.number < head.number ? latest : head
  if (block.timestampSeconds <= deadlineSeconds) return undefined
  const isUsed = await readIsUsed(rpc, facts, block.number)
  return isUsed === false ? { status: 'dropped', deadlineSeconds, blockNumber: block.number } : undefined
}

export declare namespace findDropped {
  type Options = {
    readonly facts: TransactionFacts
    /** The newest block of the node that was asked. */
    readonly latest: Head
    /** The newest block of the service. */
    readonly head: Head | undefined
  }
}
