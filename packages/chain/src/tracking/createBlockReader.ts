import { isObject } from '@agio/core'
import type { Hex, RpcBlock } from 'viem'
import { DoubtfulError } from '../errors/DoubtfulError.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import type { UpstreamNode } from '../health/UpstreamNode.ts'
import { createFailover } from '../selection/createFailover.ts'

// A node that sent a wrong block is asked last for this time.
const avoidedMs = 600_000

// The root of a block without transactions.
const emptyRoot = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

/**
 * Creates the read of blocks with their transactions. If a node does not have the block, or sends a list of transactions
 * that contradicts the header of the block, the next node is asked. If no node has a better answer, the first answer counts.
 */
export function createBlockReader({
  nodes,
  now = () => performance.now(),
  random = Math.random,
}: createBlockReader.Dependencies): BlockReader {
  const avoidedUntilMs = new Map<UpstreamNode, number>()
  const isAvoided = (node: UpstreamNode) => (avoidedUntilMs.get(node) ?? -Infinity) > now()
  const avoid = (node: UpstreamNode) => void avoidedUntilMs.set(node, now() + avoidedMs)

  async function readFrom(node: UpstreamNode, hash: Hex, startedAtMs: number): Promise<SentBlock> {
    const sent = { block: await node.read({ request: { method, params: [hash, true] }, startedAtMs }), node }
    if (sent.block === null) throw new DoubtfulError('no block', sent)
    if (!contradictsHeader(sent.block)) return sent as SentBlock
    avoid(node)
    throw new DoubtfulError('a block whose transactions contradict its header', sent)
  }
  return {
    avoid,
    async read(hash) {
      const ordered = [...nodes.filter((node) => !isAvoided(node)), ...nodes.filter(isAvoided)]
      const failOver = createFailover({ nodes: ordered, random })
      try {
        return await failOver(method, (node, startedAtMs) => readFrom(node, hash, startedAtMs))
      } catch (error) {
        if (!(error instanceof DoubtfulError)) return rethrowUpstream(error)
        const sent = error.value as SentBlock
        return isObject(sent.block) ? sent : undefined
      }
    },
  }
}

const method = 'eth_getBlockByHash'

/** Returns whether a block has transactions although its header says that it has none, or the other way round. */
function contradictsHeader(block: unknown): boolean {
  const { transactions, transactionsRoot, gasUsed } = isObject(block) ? block : {}
  const isEmpty = Array.isArray(transactions) && transactions.length === 0
  if (typeof transactionsRoot === 'string' && (transactionsRoot.toLowerCase() === emptyRoot) !== isEmpty) return true
  return isEmpty && typeof gasUsed === 'string' && !/^0x0*$/.test(gasUsed)
}

export declare namespace createBlockReader {
  type Dependencies = {
    /** In order of preference. */
    readonly nodes: readonly UpstreamNode[]
    /** The monotonic clock, in milliseconds. */
    readonly now?: (() => number) | undefined
    /** From 0 to 1; `Math.random` by default. */
    readonly random?: (() => number) | undefined
  }
}

/** Reads blocks with their transactions. */
export type BlockReader = {
  /** Reads a block; undefined if no node has it. @throws `svc/upstream-*` */
  read(hash: Hex): Promise<SentBlock | undefined>
  /** Asks a node last for ten minutes, because it sent a wrong block. */
  avoid(node: UpstreamNode): void
}

/** A block with its transactions, and the node that sent it. */
export type SentBlock = { readonly block: RpcBlock<'latest', true>; readonly node: UpstreamNode }
