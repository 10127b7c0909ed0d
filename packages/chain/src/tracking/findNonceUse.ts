import { Tier, type Address } from '@agio/core'
import { hexToNumber, numberToHex, type Hex } from 'viem'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import { toHead, type Head } from '../head/Head.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { readIsUsed } from '../transaction/readIsUsed.ts'
import { toSent, type SentTransaction } from '../transaction/readStatus.ts'

/** A mined transaction with its block. */
export type MinedTransaction = SentTransaction & { readonly hash: Hex; readonly block: Head }

/**
 * Finds the mined transaction that used a nonce. It searches for the first block after which the sender's transaction
 * count is above the nonce, by bisection. It reads the count at 32 blocks at most. Then it finds the transaction in that
 * block.
 *
 * @returns `unused` if the nonce is not used after the block `usedAt`; `no-state` if the node does not have the state of
 * the blocks that decide; `none` if the block contains no such transaction, because the code of an account can also use
 * a nonce; the bounds of the search if it is incomplete
 */
export async function findNonceUse(rpc: Pick<Rpc, 'client'>, use: findNonceUse.Use): Promise<NonceUse> {
  const { from, nonce } = use
  const isUsedAt = (block: bigint) => {
    use.onRead?.()
    return readIsUsed(rpc, use, block)
  }
  const number = await findFirst(isUsedAt, use)
  if (typeof number !== 'bigint') return number
  const params = [numberToHex(number), true] as const
  const block = await rpc.client.request({ method: 'eth_getBlockByNumber', params: [...params] }).catch(rethrowUpstream)
  const winner = block?.transactions
    .filter((each) => typeof each !== 'string')
    .find((each) => each.from.toLowerCase() === from.toLowerCase() && hexToNumber(each.nonce) === nonce)
  return winner ? { ...toSent(winner), hash: winner.hash, block: toHead(block) } : 'none'
}

export declare namespace findNonceUse {
  type Use = {
    readonly from: Address
    readonly nonce: number
    /** A block after which the nonce is used. */
    readonly usedAt: bigint
    /** A block after which the nonce is not used yet, if such a block is known. */
    readonly unusedAt?: bigint | undefined
    /** An earlier block after which the nonce is used, if such a block is known. */
    readonly usedBy?: bigint | undefined
    /** Called before each read of the sender's transaction count. */
    readonly onRead?: (() => void) | undefined
  }
}

type NonceUse = MinedTransaction | NonceBounds | 'unused' | 'no-state' | 'none'

/** The bounds of an incomplete search, from which the next search continues. */
export type NonceBounds = {
  /** A block after which the nonce is not used yet; undefined if none is known. */
  readonly unusedAt: bigint | undefined
  /** A block after which the nonce is used. */
  readonly usedBy: bigint
}

// A node shows a transaction of an earlier block by its hash.
const lagBlocks = 64n

/**
 * Returns whether a transaction itself used its nonce in one of the newest 64 blocks. A node may not show the transaction by
 * its hash yet, and rejects it, since its nonce is used. @throws `svc/upstream-*`
 */
export async function isOwnNonceUse(
  rpc: Pick<Rpc, 'client'>,
  { from, nonce, hash }: Pick<findNonceUse.Use, 'from' | 'nonce'> & { readonly hash: Hex },
  { number }: Pick<Head, 'number'>,
): Promise<boolean> {
  const unusedAt = number > lagBlocks ? number - lagBlocks : 0n
  if ((await readIsUsed(rpc, { from, nonce }, unusedAt)) !== false) return false
  const use = await findNonceUse(rpc, { from, nonce, usedAt: number, unusedAt })
  return typeof use === 'object' && 'hash' in use && use.hash === hash
}

type IsUsed = (block: bigint) => Promise<boolean | undefined>

/** Returns the first block after which a nonce is used. Wrong bounds are ignored. */
async function findFirst(
  isUsedAt: IsUsed,
  { usedAt, unusedAt, usedBy }: Pick<findNonceUse.Use, 'usedAt' | 'unusedAt' | 'usedBy'>,
): Promise<bigint | NonceBounds | 'unused' | 'no-state'> {
  // No nonce is used before the first block.
  let [unused, used, isProven] = [-1n, usedAt, true]
  const known = [unusedAt, usedBy].filter((block): block is bigint => block !== undefined && block < usedAt)
  let blocks: readonly bigint[] = [usedAt, ...(known.length > 0 ? known : chooseBefore(usedAt))]
  let left = Tier.searchNodeRequests
  do {
    left -= blocks.length
    const uses = await Promise.all(blocks.map(async (block) => ({ block, isUsed: await isUsedAt(block) })))
    const newest = uses.find(({ block }) => block === usedAt)
    if (newest && newest.isUsed !== true) return newest.isUsed === false ? 'unused' : 'no-state'
    for (const { block, isUsed } of uses) {
      if (isUsed === true && block < used) used = block
      if (isUsed === false && block > unused) [unused, isProven] = [block, true]
    }
    // A node without the state of a block does not have the state of earlier blocks either.
    const pruned = uses.filter(({ block, isUsed }) => isUsed === undefined && block > unused && block < used)
    for (const { block } of pruned) if (block > unused) [unused, isProven] = [block, false]
    blocks = [(unused + used) / 2n]
  } while (used - unused > 1n && left > 0)
  if (used - unused > 1n) return { unusedAt: isProven && unused >= 0n ? unused : undefined, usedBy: used }
  return isProven ? used : 'no-state'
}

/** Returns earlier blocks, at distances of powers of 64. Most nonces were used a moment ago. */
function chooseBefore(used: bigint): readonly bigint[] {
  const distances = Array.from({ length: 6 }, (_, index) => 64n ** BigInt(index))
  return distances.map((distance) => used - distance).filter((block) => block >= 0n)
}
