import { Async, Errors, TransactionState, type Address } from '@agio/core'
import { LRUCache } from 'lru-cache'
import { hexToNumber, type Hex } from 'viem'
import { toHead, type Head } from '../head/Head.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { createBlockReader, type BlockReader, type SentBlock } from './createBlockReader.ts'
import { judgeFinality, type Finality } from './createFinality.ts'

// Enough for a transaction that was last compared several blocks ago.
const maxBlocks = 64
// A longer gap is not read. The transactions are then read from the nodes, one by one.
const maxGap = 32
// A transaction takes 250 bytes. A node may serve blocks of 70,000 transactions.
const maxTransactions = 200_000
const maxClaims = 10_000

/**
 * Creates the comparison of transactions with the newest blocks. Each block is read once, with its transactions, for all
 * transactions that are tracked. So a block costs the same number of requests however many transactions wait for it.
 *
 * A node may lie about a block. If a transaction is still undecided after a block concerned it, later blocks are read from
 * the next node for some time.
 */
export function createMinedBlocks({
  rpc,
  finality,
  findHead,
  isWithheld,
}: createMinedBlocks.Dependencies): MinedBlocks {
  const reader = createBlockReader({ nodes: rpc.nodes })
  const { listSince, covers } = createBlockIndex({ reader, findHead })
  // The block that last concerned each transaction.
  const claims = new LRUCache<Hex, MinedBlock>({ max: maxClaims })

  /** Avoids the node of a block that concerned a transaction, if the transaction is undecided after that block. */
  function checkClaim({ hash, blockNumber }: KnownTransaction, since: Hex): void {
    const claim = claims.get(hash)
    if (!claim || !covers(since, claim)) return
    claims.delete(hash)
    if (blockNumber === undefined) reader.avoid(claim.node)
  }
  return {
    async listHashes(since) {
      const added = await listSince(since)
      return added?.flatMap(({ hashes }) => [...hashes])
    },
    async findNews(tracked, since) {
      checkClaim(tracked, since)
      const added = await listSince(since)
      const head = findHead()
      if (!added || !head) return 'unknown'
      const { blockNumber, finality: reached, deadlineSeconds } = tracked
      const isOver = deadlineSeconds !== undefined && head.timestampSeconds > deadlineSeconds
      const claim = added.findLast((block) => concerns(block, tracked))
      if (claim) claims.set(tracked.hash, claim)
      if (isOver || claim) return 'match'
      if (blockNumber === undefined || reached === undefined) return 'none'
      const judged = judgeFinality(await finality.read(rpc, head), blockNumber)
      // Polls of a transaction that waits for a second witness would find nothing new.
      const isWaiting = reached === 'safe' && isWithheld(tracked.hash)
      return rankOf(judged.finality) > rankOf(reached) && !isWaiting ? 'match' : 'none'
    },
  }
}

type IndexDependencies = Pick<createMinedBlocks.Dependencies, 'findHead'> & { readonly reader: BlockReader }

/** Creates the index of the newest blocks, which reads each block once. */
function createBlockIndex({ reader, findHead }: IndexDependencies) {
  // The oldest block comes first. Each block is the parent of the next block.
  let blocks: readonly MinedBlock[] = []
  const lock = Async.createMutex()
  let updating: { readonly hash: Hex; readonly done: Promise<void> } | undefined

  async function readBlock(hash: Hex): Promise<MinedBlock | undefined> {
    const sent = await reader.read(hash)
    return sent && toMinedBlock(sent)
  }
  async function extendTo({ hash }: Head, since: Hex): Promise<void> {
    if (blocks.at(-1)?.head.hash === hash) return
    const newest = await readBlock(hash)
    if (!newest) throw Errors.upstreamError({ action: `read block ${hash}`, reason: 'the node does not have it yet' })
    // After a pause, the blocks in between are not read.
    const last = blocks.at(-1)
    if (last && newest.head.number - last.head.number > maxGap) blocks = []
    const added = [newest]
    for (;;) {
      const parentHash = added[0]?.head.parentHash
      const parentIndex = blocks.findLastIndex(({ head }) => head.hash === parentHash)
      const isFirst = blocks.length === 0 && parentHash === since
      const isConnected = parentIndex !== -1 || isFirst || parentHash === undefined
      const isFull = added.length >= maxGap || keepNewest(added).length < added.length
      const needsParent = !isConnected && !isFull
      const parent = needsParent ? await readBlock(parentHash) : undefined
      if (!parent) {
        // A node may name a parent that does not exist.
        if (needsParent) reader.avoid(newest.node)
        blocks = keepNewest([...blocks.slice(0, parentIndex + 1), ...added])
        return
      }
      added.unshift(parent)
    }
  }
  function update(head: Head, since: Hex): Promise<void> {
    if (updating?.hash === head.hash) return updating.done
    const done = lock(() => extendTo(head, since))
    const started = { hash: head.hash, done }
    updating = started
    // The next call repeats a failed read.
    done.catch(() => {
      if (updating === started) updating = undefined
    })
    return done
  }
  async function listSince(since: Hex): Promise<readonly MinedBlock[] | undefined> {
    const head = findHead()
    if (!head) return undefined
    if (head.hash === since) return []
    await update(head, since)
    const index = blocks.findIndex(({ head: { parentHash } }) => parentHash === since)
    return index === -1 ? undefined : blocks.slice(index)
  }
  return {
    /** Lists the blocks after a block; undefined if the blocks since then are unknown. */
    listSince,
    /** Returns whether a block is in the index, and is not after the block with the given hash. */
    covers(since: Hex, block: MinedBlock): boolean {
      const index = blocks.indexOf(block)
      return index !== -1 && blocks.slice(index).some(({ head }) => head.hash === since)
    },
  }
}

export declare namespace createMinedBlocks {
  type Dependencies = {
    readonly rpc: Pick<Rpc, 'client' | 'nodes'>
    readonly finality: Finality
    /** Returns the newest block of any node, from memory. */
    readonly findHead: () => Head | undefined
    /** Returns whether a transaction stays `safe` for now, although its block is final. */
    readonly isWithheld: (hash: Hex) => boolean
  }
}

/** The transactions of the newest blocks. Every method throws `svc/upstream-*` if a block cannot be read. */
export type MinedBlocks = {
  /** Lists the transactions of the blocks after a block; undefined if the blocks since then are unknown. */
  listHashes(since: Hex): Promise<readonly Hex[] | undefined>
  /**
   * Compares a transaction with the blocks after a block. Returns `match` if its state may have changed, `none` if no
   * block concerns it, and `unknown` if the blocks since then are unknown, for instance after a reorganisation.
   */
  findNews(tracked: KnownTransaction, since: Hex): Promise<'match' | 'none' | 'unknown'>
}

/** What a block is compared with. */
export type KnownTransaction = {
  readonly hash: Hex
  readonly from?: Address | undefined
  readonly nonce?: number | undefined
  /** The block that decided the transaction, with its last known finality. */
  readonly blockNumber?: bigint | undefined
  readonly finality?: TransactionState.Finality | undefined
  /** Unix seconds: the deadline of a transaction that is pending. */
  readonly deadlineSeconds?: bigint | undefined
}

type MinedBlock = Pick<SentBlock, 'node'> & {
  readonly head: Head
  readonly hashes: ReadonlySet<Hex>
  /** The highest nonce that each sender, in lower case, used in the block. */
  readonly nonces: ReadonlyMap<string, number>
}

/** Returns the newest blocks, up to the maximum number of blocks and of their transactions. */
function keepNewest(blocks: readonly MinedBlock[]): readonly MinedBlock[] {
  let transactions = 0
  const exceeds = ({ hashes }: MinedBlock) => (transactions += hashes.size) > maxTransactions
  return blocks.slice(blocks.findLastIndex(exceeds) + 1).slice(-maxBlocks)
}

function toMinedBlock({ block, node }: SentBlock): MinedBlock {
  const transactions = block.transactions.filter((each) => typeof each !== 'string')
  const nonces = new Map<string, number>()
  for (const { from, nonce } of transactions) {
    // A checksum of each sender would take seconds in a large block.
    const sender = from.toLowerCase()
    nonces.set(sender, Math.max(nonces.get(sender) ?? 0, hexToNumber(nonce)))
  }
  return { head: toHead(block), hashes: new Set(transactions.map((each) => each.hash)), nonces, node }
}

function concerns({ hashes, nonces }: MinedBlock, { hash, from, nonce }: KnownTransaction): boolean {
  if (hashes.has(hash)) return true
  return from !== undefined && nonce !== undefined && (nonces.get(from.toLowerCase()) ?? -1) >= nonce
}

function rankOf(finality: TransactionState.Finality): number {
  return TransactionState.finalities.indexOf(finality)
}
