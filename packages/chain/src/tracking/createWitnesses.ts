import { isObject } from '@agio/core'
import type { Hex } from 'viem'
import type { Doubts } from '../health/createDoubts.ts'
import type { UpstreamNode } from '../health/UpstreamNode.ts'
import type { Receipt } from '../transaction/readReceipt.ts'
import { parseReceipt } from '../transaction/readReceipt.ts'
import type { MinedState, TrackedTransaction } from './trackTransaction.ts'

// Without a second healthy node, a final state is reported after this time.
const waitMs = 600_000

// A state without two witnesses is checked again after this time at the earliest.
const recheckMs = 2000

const maxRemembered = 10_000

/**
 * Creates the check that two nodes have the receipt of a final transaction. Until then its state is reported as `safe`.
 *
 * A node that does not have the transaction or its block has no vote. Without a second vote, the state is final after ten
 * minutes. With one node, nothing is checked.
 */
export function createWitnesses({
  nodes,
  doubts,
  now = () => performance.now(),
}: createWitnesses.Dependencies): Witnesses {
  const known = new Map<string, Known>()

  function remember(key: string, value: Known): void {
    known.delete(key)
    known.set(key, value)
    const [oldest] = known.keys()
    if (known.size > maxRemembered && oldest !== undefined) known.delete(oldest)
  }
  async function count(mined: MinedState, hash: Hex): Promise<number | undefined> {
    const key = `${hash} ${mined.receipt.blockHash}`
    const found = known.get(key) ?? { sinceMs: now(), checkedAtMs: -Infinity, verdict: 'none' }
    const isDue = found.verdict !== 'agreed' && now() - found.checkedAtMs >= recheckMs
    const verdict = isDue ? await compare(hash, mined.receipt) : found.verdict
    remember(key, { sinceMs: found.sinceMs, checkedAtMs: isDue ? now() : found.checkedAtMs, verdict })
    if (verdict === 'agreed') return 2
    return verdict === 'none' && now() - found.sinceMs >= waitMs ? 1 : undefined
  }
  async function compare(hash: Hex, receipt: Receipt): Promise<Verdict> {
    let agreed = 0
    for (const node of nodes.filter((each) => each.state() === 'healthy')) {
      const vote = await readVote(node, hash, receipt).catch(() => 'none' as const)
      if (vote === 'agreed') agreed += 1
      if (agreed === 2) return 'agreed'
      if (vote !== 'disagreed') continue
      doubts.add({ subject: 'receipt', position: node.position })
      return 'disagreed'
    }
    return 'none'
  }
  async function confirm<State extends MinedState>(mined: State, hash: Hex): Promise<State> {
    if (mined.finality !== 'finalized') return mined
    const witnesses = await count(mined, hash)
    return witnesses === undefined ? { ...mined, finality: 'safe' } : { ...mined, witnesses }
  }
  return {
    async confirm(hash, tracked) {
      const { state } = tracked
      if (nodes.length < 2) return tracked
      if (state.status === 'mined') return { ...tracked, state: await confirm(state, hash) }
      if (state.status !== 'replaced' || !state.winner) return tracked
      return { ...tracked, state: { ...state, winner: await confirm(state.winner, state.winner.hash) } }
    },
  }
}

export declare namespace createWitnesses {
  type Dependencies = {
    readonly nodes: readonly Pick<UpstreamNode, 'position' | 'state' | 'read'>[]
    readonly doubts: Pick<Doubts, 'add'>
    /** The monotonic clock, in milliseconds. */
    readonly now?: (() => number) | undefined
  }
}

/** Checks that two nodes have the receipts of final transactions. */
export type Witnesses = {
  /**
   * Returns the state of a transaction, with the number of nodes that have its receipt if it is final. Without two such
   * nodes the state is `safe` for now.
   */
  confirm(hash: Hex, tracked: TrackedTransaction): Promise<TrackedTransaction>
}

/** Whether two nodes have the same receipt, or one contradicts it, or too few nodes have a vote. */
type Verdict = 'agreed' | 'disagreed' | 'none'

type Known = { readonly sinceMs: number; readonly checkedAtMs: number; readonly verdict: Verdict }

/**
 * Returns whether a node has the same receipt. A node that has the block without the transaction, or another block at its
 * number, disagrees.
 */
async function readVote(node: Pick<UpstreamNode, 'read'>, hash: Hex, receipt: Receipt): Promise<Verdict> {
  const read = async (method: string, ...params: unknown[]) =>
    await node.read({ request: { method, params }, startedAtMs: performance.now() })
  const found = await read('eth_getTransactionReceipt', hash)
  if (found) return toDigest(parseReceipt(found)) === toDigest(receipt) ? 'agreed' : 'disagreed'
  const block = await read('eth_getBlockByNumber', `0x${receipt.blockNumber.toString(16)}`, false)
  if (!isObject(block)) return 'none'
  const { hash: blockHash, transactions } = block
  if (blockHash !== receipt.blockHash) return 'disagreed'
  // The node may have pruned its index of transactions.
  return Array.isArray(transactions) && transactions.includes(hash) ? 'none' : 'disagreed'
}

/** Returns the parts of a receipt that all nodes must agree on. */
function toDigest({ status, blockHash, blockNumber, gasUsed, logs }: Receipt): string {
  const events = logs.map(({ address, topics, data, logIndex }) => [address, topics, data, logIndex])
  return JSON.stringify([status, blockHash, String(blockNumber), String(gasUsed), events]).toLowerCase()
}
