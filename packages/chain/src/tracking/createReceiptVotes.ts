import { isObject } from '@agio/core'
import { hexToBigInt, numberToHex, type Hex } from 'viem'
import { classifyError } from '../errors/classifyError.ts'
import { toHead, type Head } from '../head/Head.ts'
import { readNow } from '../health/readNow.ts'
import type { UpstreamNode } from '../health/UpstreamNode.ts'
import { parseReceipt, type Receipt } from '../transaction/readReceipt.ts'

// The transactions of a chain share the last final block of a node for this time.
const finalityMs = 2000

/**
 * Creates the read of a node's vote about the receipt of a final transaction. A node has no vote if it lags and its last
 * final block has not changed for some time, because it may never catch up.
 */
export function createReceiptVotes(options: createReceiptVotes.Options): ReadVote {
  const finalNumbers = createFinalNumbers(options)
  return async (node, { hash, receipt }) => {
    const found = await readNow(node, 'eth_getTransactionReceipt', hash)
    if (found && !isSame(parseReceipt(found), receipt)) return 'disagreed'
    const finalNumber = await finalNumbers.read(node)
    const isBefore = finalNumber !== undefined && finalNumber < receipt.blockNumber
    const early = isBefore && !finalNumbers.isStuck(node) ? 'early' : 'none'
    if (found) return isBefore ? early : 'agreed'
    const block = await readNow(node, 'eth_getBlockByNumber', numberToHex(receipt.blockNumber), false)
    if (!isObject(block)) return early
    const { hash: blockHash, transactions } = block
    if (blockHash !== receipt.blockHash) return 'disagreed'
    // The node may have pruned its index of transactions.
    return Array.isArray(transactions) && transactions.includes(hash) ? 'none' : 'disagreed'
  }
}

export declare namespace createReceiptVotes {
  type Options = {
    /** The time after which a lagging node whose last final block has not changed has no vote. */
    readonly stuckAfterMs: number
    /** The monotonic clock, in milliseconds. */
    readonly now: () => number
  }
}

/** Whether nodes have the same final receipt, one contradicts it, it is not final at one, or too few nodes have a vote. */
export type Verdict = 'agreed' | 'disagreed' | 'early' | 'none'

/** Returns whether a node has the same receipt in a final block. Another block at that number is a disagreement. */
type ReadVote = (node: UpstreamNode, vote: { readonly hash: Hex; readonly receipt: Receipt }) => Promise<Verdict>

type FinalNumber = bigint | undefined

/** Creates the read of the number of a node's last final block; undefined if the node answers that it reports none. */
function createFinalNumbers({ stuckAfterMs, now }: createReceiptVotes.Options) {
  const shared = new Map<UpstreamNode, { readonly atMs: number; readonly reading: Promise<FinalNumber> }>()
  const changes = new Map<UpstreamNode, { readonly atMs: number; readonly number: FinalNumber }>()
  async function readChange(node: UpstreamNode): Promise<FinalNumber> {
    const number = await readFinalNumber(node)
    const last = changes.get(node)
    if (!last || last.number !== number) changes.set(node, { atMs: now(), number })
    return number
  }
  return {
    read(node: UpstreamNode): Promise<FinalNumber> {
      const last = shared.get(node)
      if (last && now() - last.atMs < finalityMs) return last.reading
      const started = { atMs: now(), reading: readChange(node) }
      shared.set(node, started)
      // The next call repeats a failed read.
      started.reading.catch(() => {
        if (shared.get(node) === started) shared.delete(node)
      })
      return started.reading
    },
    /** Returns whether a node lags, and its last final block has not changed for some time. */
    isStuck(node: UpstreamNode): boolean {
      const { atMs } = changes.get(node) ?? { atMs: now() }
      return node.state() === 'lagging' && now() - atMs >= stuckAfterMs
    },
  }
}

async function readFinalNumber(node: UpstreamNode): Promise<FinalNumber> {
  try {
    const block = await readNow(node, 'eth_getBlockByNumber', 'finalized', false)
    return isObject(block) ? hexToBigInt(block['number'] as Hex) : undefined
  } catch (error) {
    if (classifyError(error, 'eth_getBlockByNumber').isAnswer) return undefined
    throw error
  }
}

/** Returns whether a node has a block with the same time. A node that does not have the block has no vote. */
export async function readTimeVote(node: UpstreamNode, { hash, timestampSeconds }: Head): Promise<Verdict> {
  const block = await readNow(node, 'eth_getBlockByHash', hash, false)
  if (!isObject(block)) return 'none'
  return toHead(block).timestampSeconds === timestampSeconds ? 'agreed' : 'disagreed'
}

function isSame(one: Receipt, other: Receipt): boolean {
  return toDigest(one) === toDigest(other) && !haveOtherFees(one, other)
}

/** Returns the parts of a receipt that all nodes must agree on. */
function toDigest({ status, blockHash, blockNumber, gasUsed, logs }: Receipt): string {
  const events = logs.map(({ address, topics, data, logIndex }) => [address, topics, data, logIndex])
  return JSON.stringify([status, blockHash, String(blockNumber), String(gasUsed), events]).toLowerCase()
}

/** Returns whether two receipts have different fees. Not each node reports the price and the fee for the data. */
function haveOtherFees(one: Receipt, other: Receipt): boolean {
  const differ = (left: bigint | undefined, right: bigint | undefined) =>
    left !== undefined && right !== undefined && left !== right
  if (differ(one.effectiveGasPrice, other.effectiveGasPrice)) return true
  return differ(findDataFee(one), findDataFee(other))
}

/** Returns the wei for the data of a transaction on a rollup; undefined if the node does not report them. */
function findDataFee({ feeWei, gasUsed, effectiveGasPrice }: Receipt): bigint | undefined {
  if (feeWei === undefined || effectiveGasPrice === undefined) return undefined
  // A fee of zero and an absent one are the same.
  return feeWei - gasUsed * effectiveGasPrice || undefined
}
