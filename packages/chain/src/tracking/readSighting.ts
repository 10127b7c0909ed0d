import type { Address } from '@agio/core'
import { getAddress, hexToBigInt, hexToNumber, numberToHex, type Hex } from 'viem'
import { readNonces, type Nonces } from '../account/readAccount.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { readReceipt, type Receipt } from '../transaction/readReceipt.ts'
import type { Finality, FinalityHeads } from './createFinality.ts'
import type { SentCall } from './describeCall.ts'

/** A node's knowledge of a transaction, and of its sender if the sender is known, read in one round trip. */
export type Sighting = {
  readonly receipt: Receipt | undefined
  /** The transaction, pending or mined; undefined if the node has no transaction with this hash. */
  readonly transaction: SeenTransaction | undefined
  readonly heads: FinalityHeads
  /** The nonces of the known sender. */
  readonly nonces: Nonces | undefined
  /** The hash of the block that now has the number of the known block; undefined if there is no such block. */
  readonly canonicalHash: Hex | undefined
}

/** A transaction as a node returned it. */
export type SeenTransaction = SentCall & {
  readonly nonce: number
  /** Whether a block contains the transaction. The node may not have the receipts of this block yet. */
  readonly isMined: boolean
}

/** Reads a node's current knowledge of a transaction. @throws `svc/upstream-*` */
export async function readSighting(
  { rpc, finality }: { readonly rpc: Rpc; readonly finality: Finality },
  { hash, from, blockNumber }: readSighting.Options,
): Promise<Sighting> {
  const [receipt, transaction, heads, nonces, canonicalHash] = await Promise.all([
    readReceipt(rpc, hash),
    readTransaction(rpc, hash),
    finality.read(rpc),
    from && readNonces(rpc, from),
    blockNumber === undefined ? undefined : readBlockHash(rpc, blockNumber),
  ]).catch(rethrowUpstream)
  return { receipt, transaction, heads, nonces, canonicalHash }
}

export declare namespace readSighting {
  type Options = {
    readonly hash: Hex
    /** The sender of the transaction, if it is known. */
    readonly from?: Address | undefined
    /** The number of the block that last contained the transaction, if any did. */
    readonly blockNumber?: bigint | undefined
  }
}

async function readTransaction({ client }: Rpc, hash: Hex): Promise<SeenTransaction | undefined> {
  const transaction = await client.request({ method: 'eth_getTransactionByHash', params: [hash] })
  if (!transaction) return undefined
  const { from, to, value, input, nonce, blockNumber } = transaction
  return {
    from: getAddress(from),
    to: to ? getAddress(to) : undefined,
    valueWei: hexToBigInt(value),
    data: input,
    nonce: hexToNumber(nonce),
    isMined: blockNumber !== null,
  }
}

async function readBlockHash({ client }: Rpc, number: bigint): Promise<Hex | undefined> {
  const block = await client.request({ method: 'eth_getBlockByNumber', params: [numberToHex(number), false] })
  return block?.hash ?? undefined
}
