import type { Address } from '@agio/core'
import { hexToNumber, numberToHex, type Hex } from 'viem'
import { readNonces, type Nonces } from '../account/readAccount.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import type { Head } from '../head/Head.ts'
import { agree } from '../health/agree.ts'
import type { UpstreamNode } from '../health/UpstreamNode.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { readReceipt, type Receipt } from '../transaction/readReceipt.ts'
import { toSent, type SentTransaction } from '../transaction/readStatus.ts'
import type { Finality, FinalityHeads } from './createFinality.ts'

/** A node's knowledge of a transaction, and of its sender if the sender is known, as read from the nodes. */
export type Sighting = {
  readonly receipt: Receipt | undefined
  /** The transaction, pending or mined; undefined if the node has no transaction with this hash. */
  readonly transaction: SeenTransaction | undefined
  readonly heads: FinalityHeads
  /** The nonces of the known sender. */
  readonly nonces: Nonces | undefined
  /** The block that now has the number of the known block; undefined if there is no such block. */
  readonly canonical: CanonicalBlock | undefined
}

/** The hash of a block, and whether the block lists the transaction. */
type CanonicalBlock = { readonly hash: Hex; readonly hasTransaction: boolean }

/** A transaction as a node returned it. */
export type SeenTransaction = SentTransaction & {
  readonly nonce: number
  /** Whether a block contains the transaction. The node may not have the receipts of this block yet. */
  readonly isMined: boolean
}

/**
 * Reads a node's current knowledge of a transaction: its receipt only if it is mined, and the nonces of its sender only if no
 * node has it. @throws `svc/upstream-*`
 */
export async function readSighting(
  { rpc, finality }: { readonly rpc: Pick<Rpc, 'client'>; readonly finality: Finality },
  { hash, from, nonce, blockNumber, head, seen }: readSighting.Options,
): Promise<Sighting> {
  const [transaction, heads, knownReceipt] = await Promise.all([
    seen ?? readTransaction(rpc, hash),
    finality.read(rpc, head),
    blockNumber === undefined ? undefined : readReceipt(rpc, hash),
  ]).catch(rethrowUpstream)
  const receipt = knownReceipt ?? (transaction?.isMined === true ? await readReceipt(rpc, hash) : undefined)
  if (receipt) return { receipt, transaction, heads, nonces: undefined, canonical: undefined }
  const [nonces, canonical] = await Promise.all([
    transaction || from === undefined || nonce === undefined ? undefined : readNonces(rpc, from),
    blockNumber === undefined ? undefined : readCanonical(rpc, { blockNumber, hash }),
  ]).catch(rethrowUpstream)
  return { receipt, transaction, heads, nonces, canonical }
}

export declare namespace readSighting {
  type Options = {
    readonly hash: Hex
    /** The sender and the nonce of the transaction, if they are known. */
    readonly from?: Address | undefined
    readonly nonce?: number | undefined
    /** The number of the block that last contained the transaction, if any did. */
    readonly blockNumber?: bigint | undefined
    /** The newest block; read from a node by default. */
    readonly head?: Head | undefined
    /** The transaction, if it was read before. */
    readonly seen?: SeenTransaction | undefined
  }
}

/** Reads a transaction; undefined if the node does not have it. */
async function readTransaction({ client }: Pick<Rpc, 'client'>, hash: Hex): Promise<SeenTransaction | undefined> {
  const transaction = await client.request({ method: 'eth_getTransactionByHash', params: [hash] })
  if (!transaction) return undefined
  const { nonce, blockNumber } = transaction
  // Some nodes omit the block of a pending transaction.
  return { ...toSent(transaction), nonce: hexToNumber(nonce), isMined: typeof blockNumber === 'string' }
}

async function readCanonical(
  { client }: Pick<Rpc, 'client'>,
  { blockNumber, hash }: { readonly blockNumber: bigint; readonly hash: Hex },
): Promise<CanonicalBlock | undefined> {
  const block = await client.request({ method: 'eth_getBlockByNumber', params: [numberToHex(blockNumber), false] })
  if (!block?.hash) return undefined
  const hashes: unknown = block.transactions
  return { hash: block.hash, hasTransaction: Array.isArray(hashes) && hashes.includes(hash) }
}

// A poll is charged for the requests to these nodes.
const maxOthers = 2

/** The reads of a tracking. With the client of one node alone, no other node is asked. */
export type TrackingRpc = Pick<Rpc, 'client'> & Partial<Pick<Rpc, 'nodes' | 'forNode'>>

/** The reads of a node that has a transaction, and the transaction as the node returned it. */
type Elsewhere = { readonly rpc: Pick<Rpc, 'client'>; readonly seen: SeenTransaction }

/**
 * Asks up to two healthy nodes besides the preferred one whether they have a transaction. The preferred node may not have it
 * yet, or may hide it. Returns the first result of `trackAt`; undefined if no node has the transaction. An error of a node
 * counts as no answer.
 */
export async function findElsewhere<Result extends object>(
  { nodes = [], forNode }: TrackingRpc,
  hash: Hex,
  trackAt: (elsewhere: Elsewhere) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  if (!forNode) return undefined
  const healthy = nodes.filter((node) => node.state() === 'healthy')
  const track = async (node: UpstreamNode) => {
    const rpc = forNode(node)
    const seen = await readTransaction(rpc, hash)
    return seen && (await trackAt({ rpc, seen }))
  }
  const { vote } = await agree(healthy.slice(1, 1 + maxOthers), track, { isSame: () => true })
  return vote
}
