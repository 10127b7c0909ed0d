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
    if (found && !isSame(parseReceipt(found), receipt)) return false
    const finalNumber = await finalNumbers.read(node)
    const isBefore = finalNumber !== undefined && finalNumber < receipt.blockNumber
    const early = isBefore && !finalNumbers.isStuck(node) ? 'early' : undefined
    if (found) return isBefore ? early : true
    const block = await readNow(node, 'eth_getBlockByNumber', numberToHex(receipt.blockNumber), false)
    if (!isObject(block)) return early
    const { hash: blockHash, transactions } = block
    if (blockHash !== receipt.blockHash) return false
    // The node may have pruned its index of transactions.
    return Array.isArray(transactions) && transactions.includes(hash) ? undefined : false
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

/**
 * Returns whether a node has the same receipt in a final block; `early` if the block is not final there; undefined if the node
 * has no vote. Another block at that number is a disagreement.
 */
type ReadVote = (
  node: UpstreamNode,
  vote: { readonly hash: Hex; readonly receipt: Receipt },
) => Promise<boolean | 'early' | undefined>

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

/** Returns whether a node has a block with the same time; undefined if it does not have the block. */
export async function hasSameTime(node: UpstreamNode, { hash, timestampSeconds }: Head): Promise<boolean | undefined> {
  const block = await readNow(node, 'eth_getBlockByHash', hash, false)
  return isObject(block) ? toHead(block).timestampSeconds === timestampSeconds : undefined
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
