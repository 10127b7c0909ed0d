import { Async, Errors, isObject, TransactionState, type Address } from '@agio/core'
import { hexToNumber, type Hex, type RpcBlock } from 'viem'
import { DoubtfulError } from '../errors/DoubtfulError.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import { toHead, type Head } from '../head/Head.ts'
import { createFailover } from '../selection/createFailover.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { judgeFinality, type Finality } from './createFinality.ts'

// Enough for a transaction that was last compared several blocks ago.
const maxBlocks = 64
// A longer gap is not read. The transactions are then read from the nodes, one by one.
const maxGap = 32
// A transaction takes 250 bytes. A node may serve blocks of 70,000 transactions.
const maxTransactions = 200_000

/**
 * Creates the comparison of transactions with the newest blocks. Each block is read once, with its transactions, for all
 * transactions that are tracked. So a block costs the same number of requests however many transactions wait for it.
 */
export function createMinedBlocks({ rpc, finality, findHead, isWithheld }: createMinedBlocks.Dependencies) {
  const listSince = createBlockIndex({ readBlock: createBlockRead(rpc.nodes), findHead })
  return {
    /** Lists the transactions of the blocks after a block; undefined if the blocks since then are unknown. */
    async listHashes(since: Hex): Promise<readonly Hex[] | undefined> {
      const added = await listSince(since)
      return added?.flatMap(({ hashes }) => [...hashes])
    },
    /**
     * Compares a transaction with the blocks after a block. Returns `match` if its state may have changed, `none` if no
     * block concerns it, and `unknown` if the blocks since then are unknown, for instance after a reorganisation.
     */
    async findNews(tracked: KnownTransaction, since: Hex): Promise<'match' | 'none' | 'unknown'> {
      const added = await listSince(since)
      const head = findHead()
      if (!added || !head) return 'unknown'
      const { blockNumber, finality: reached, deadlineSeconds } = tracked
      const isOver = deadlineSeconds !== undefined && head.timestampSeconds > deadlineSeconds
      if (isOver || added.some((block) => concerns(block, tracked))) return 'match'
      if (blockNumber === undefined || reached === undefined) return 'none'
      const judged = judgeFinality(await finality.read(rpc, head), blockNumber)
      // Polls of a transaction that waits for a second witness would find nothing new.
      const isWaiting = reached === 'safe' && isWithheld(tracked.hash)
      return rankOf(judged.finality) > rankOf(reached) && !isWaiting ? 'match' : 'none'
    },
  }
}

type IndexDependencies = Pick<createMinedBlocks.Dependencies, 'findHead'> & {
  readonly readBlock: ReturnType<typeof createBlockRead>
}

/**
 * Creates the index of the newest blocks, which reads each block once. The function lists the blocks after a block; undefined if
 * the blocks since then are unknown.
 */
function createBlockIndex({ readBlock, findHead }: IndexDependencies) {
  // The oldest block comes first. Each block is the parent of the next block.
  let blocks: readonly MinedBlock[] = []
  const lock = Async.createMutex()
  let updating: { readonly hash: Hex; readonly done: Promise<void> } | undefined

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
      const parent = isConnected || isFull ? undefined : await readBlock(parentHash)
      if (!parent) {
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
  return async (since: Hex): Promise<readonly MinedBlock[] | undefined> => {
    const head = findHead()
    if (!head) return undefined
    if (head.hash === since) return []
    await update(head, since)
    const index = blocks.findIndex(({ head: { parentHash } }) => parentHash === since)
    return index === -1 ? undefined : blocks.slice(index)
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

type MinedBlock = {
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

const method = 'eth_getBlockByHash'

/**
 * Creates the read of a block with its transactions; undefined if no node has it. If a node does not have the block, or sends a
 * list of transactions that contradicts the header of the block, the next node is asked. If no node has a better answer, the
 * first answer counts.
 */
function createBlockRead(nodes: Rpc['nodes']) {
  const failOver = createFailover({ nodes, random: Math.random })
  return async (hash: Hex): Promise<MinedBlock | undefined> => {
    const request = { method, params: [hash, true] }
    const reading = failOver(method, async (node, startedAtMs) => {
      const block = await node.read({ request, startedAtMs })
      if (block !== null && !contradictsHeader(block)) return block
      throw new DoubtfulError('no block, or a block whose transactions contradict its header', block)
    })
    const block = await reading.catch((error: unknown) =>
      error instanceof DoubtfulError ? (error.value as unknown) : rethrowUpstream(error),
    )
    return isObject(block) ? toMinedBlock(block as unknown as RpcBlock<'latest', true>) : undefined
  }
}

// The root of a block without transactions.
const emptyRoot = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

/** Returns whether a block has transactions although its header says that it has none, or the other way round. */
function contradictsHeader(block: unknown): boolean {
  const { transactions, transactionsRoot, gasUsed } = isObject(block) ? block : {}
  const isEmpty = Array.isArray(transactions) && transactions.length === 0
  if (typeof transactionsRoot === 'string' && (transactionsRoot.toLowerCase() === emptyRoot) !== isEmpty) return true
  return isEmpty && typeof gasUsed === 'string' && !/^0x0*$/.test(gasUsed)
}

function toMinedBlock(block: RpcBlock<'latest', true>): MinedBlock {
  const transactions = block.transactions.filter((each) => typeof each !== 'string')
  const nonces = new Map<string, number>()
  for (const { from, nonce } of transactions) {
    // A checksum of each sender would take seconds in a large block.
    const sender = from.toLowerCase()
    nonces.set(sender, Math.max(nonces.get(sender) ?? 0, hexToNumber(nonce)))
  }
  return { head: toHead(block), hashes: new Set(transactions.map((each) => each.hash)), nonces }
}

function concerns({ hashes, nonces }: MinedBlock, { hash, from, nonce }: KnownTransaction): boolean {
  if (hashes.has(hash)) return true
  return from !== undefined && nonce !== undefined && (nonces.get(from.toLowerCase()) ?? -1) >= nonce
}

function rankOf(finality: TransactionState.Finality): number {
  return TransactionState.finalities.indexOf(finality)
}
