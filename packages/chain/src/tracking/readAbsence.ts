import { isObject, type Address } from '@agio/core'
import { hexToNumber, numberToHex, type Hex } from 'viem'
import type { UpstreamNode } from '../health/UpstreamNode.ts'
import { readNow } from '../health/readNow.ts'
import type { TransactionFacts } from './TransactionFacts.ts'
import type { TrackedTransaction } from './trackTransaction.ts'

/** What one node says about a transaction that no block contains any more. */
export type Absence = {
  /** The final block that the transaction has left. */
  readonly left?: TrackedTransaction['left']
  readonly nonce?: NonceUse | undefined
}

/** The nonce of a transaction that is dropped, or that no known transaction replaced, and whether it is used. */
type NonceUse = {
  readonly from: Address
  readonly nonce: number
  readonly isUsed: boolean
  /** The block at which the nonce is unused, or `latest` for a used nonce. */
  readonly at: Hex | 'latest'
}

/**
 * Returns what other nodes must confirm about the state of a transaction; undefined if the state may still change.
 *
 * @param finalHash the block in which two nodes had its final receipt, if they had
 */
export function toAbsence({ state, facts, left }: TrackedTransaction, finalHash: Hex | undefined): Absence | undefined {
  const isGone = state.status === 'dropped' || (state.status === 'replaced' && !state.winner)
  const isLeft = left !== undefined && left.hash === finalHash
  if (!isLeft && !isGone) return undefined
  return {
    ...(isLeft && { left }),
    ...(isGone && facts && { nonce: toNonceUse(state, facts) }),
  }
}

function toNonceUse(state: TrackedTransaction['state'], { from, nonce }: TransactionFacts): NonceUse {
  if (state.status !== 'dropped') return { from, nonce, isUsed: true, at: 'latest' }
  return { from, nonce, isUsed: false, at: numberToHex(state.blockNumber) }
}

/**
 * Returns whether the transaction is `gone` at a node too, `mined` in a block of the node, or still `pending` there. A node
 * that does not have the block that the transaction has left, or at which its nonce is unused, has no vote.
 */
export async function readAbsence(
  node: UpstreamNode,
  hash: Hex,
  { left, nonce }: Absence,
): Promise<'gone' | 'mined' | 'pending' | undefined> {
  if (left) {
    const block = await readNow(node, 'eth_getBlockByNumber', numberToHex(left.number), false)
    if (!isObject(block)) return undefined
    if (block['hash'] === left.hash) return 'mined'
  }
  if (!nonce) return 'gone'
  const transaction = await readNow(node, 'eth_getTransactionByHash', hash)
  if (isObject(transaction)) return typeof transaction['blockNumber'] === 'string' ? 'mined' : 'pending'
  const count = hexToNumber((await readNow(node, 'eth_getTransactionCount', nonce.from, nonce.at)) as Hex)
  return count > nonce.nonce === nonce.isUsed ? 'gone' : 'pending'
}
