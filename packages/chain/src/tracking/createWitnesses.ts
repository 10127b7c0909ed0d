import { isObject } from '@agio/core'
import { hexToBigInt, type Hex } from 'viem'
import { classifyError } from '../errors/classifyError.ts'
import type { Doubts } from '../health/createDoubts.ts'
import type { UpstreamNode } from '../health/UpstreamNode.ts'
import type { Receipt } from '../transaction/readReceipt.ts'
import { parseReceipt } from '../transaction/readReceipt.ts'
import type { MinedState, TrackedTransaction } from './trackTransaction.ts'

// Without a second healthy node, a final state is reported after this time.
const waitMs = 600_000

// A state without two witnesses is checked again after a quarter of the time that it has waited, within these bounds.
const [minRecheckMs, maxRecheckMs] = [2000, 30_000]

// The transactions of a chain share the last final block of a node for this time.
const finalityMs = 2000

const maxRemembered = 10_000

/**
 * Creates the check that two nodes have the receipt of a final transaction in a final block. Until then its state is
 * reported as `safe`.
 *
 * While a healthy node has an earlier final block, the transaction is not final, because the tag of one node may be wrong. A
 * node that does not answer, or has the block without an index of transactions, has no vote. Without a second vote, the
 * state is final after ten minutes. With one node, nothing is checked.
 */
export function createWitnesses({
  nodes,
  doubts,
  now = () => performance.now(),
}: createWitnesses.Dependencies): Witnesses {
  const known = new Map<string, Known>()
  const readFinalNumber = createFinalNumbers(now)

  function remember(key: string, value: Known): void {
    known.delete(key)
    known.set(key, value)
    const [oldest] = known.keys()
    if (known.size > maxRemembered && oldest !== undefined) known.delete(oldest)
  }
  function isCheckDue({ verdict, sinceMs, checkedAtMs }: Known): boolean {
    const recheckMs = Math.min(maxRecheckMs, Math.max(minRecheckMs, (checkedAtMs - sinceMs) / 4))
    return verdict !== 'agreed' && now() - checkedAtMs >= recheckMs
  }
  async function count({ receipt }: MinedState, { hash, minedHash }: Hashes): Promise<number | undefined> {
    const { blockHash } = receipt
    const earlier = known.get(hash)
    const unchecked = { blockHash, sinceMs: now(), checkedAtMs: -Infinity, verdict: 'none' } as const
    const found = earlier?.blockHash === blockHash ? earlier : unchecked
    const isDue = isCheckDue(found)
    const verdict = isDue ? await compare(minedHash, receipt) : found.verdict
    remember(hash, { ...found, checkedAtMs: isDue ? now() : found.checkedAtMs, verdict })
    if (verdict === 'agreed') return 2
    return verdict === 'none' && now() - found.sinceMs >= waitMs ? 1 : undefined
  }
  async function compare(hash: Hex, receipt: Receipt): Promise<Verdict> {
    let [agreed, isEarly] = [0, false]
    for (const node of nodes.filter((each) => each.state() === 'healthy')) {
      const vote = await readVote(node, { hash, receipt, readFinalNumber }).catch(() => 'none' as const)
      if (vote === 'agreed') agreed += 1
      if (vote === 'early') isEarly = true
      if (agreed === 2) return 'agreed'
      if (vote !== 'disagreed') continue
      doubts.add({ subject: 'receipt', position: node.position })
      return 'disagreed'
    }
    return isEarly ? 'early' : 'none'
  }
  async function confirm<State extends MinedState>(mined: State, hashes: Hashes): Promise<State> {
    if (mined.finality !== 'finalized') return mined
    const witnesses = await count(mined, hashes)
    return witnesses === undefined ? { ...mined, finality: 'safe' } : { ...mined, witnesses }
  }
  return {
    async confirm(hash, tracked) {
      const { state } = tracked
      if (nodes.length < 2) return tracked
      if (state.status === 'mined') return { ...tracked, state: await confirm(state, { hash, minedHash: hash }) }
      if (state.status !== 'replaced' || !state.winner) return tracked
      const winner = await confirm(state.winner, { hash, minedHash: state.winner.hash })
      return { ...tracked, state: { ...state, winner } }
    },
    isWithheld(hash) {
      const found = known.get(hash)
      if (!found || found.verdict === 'agreed') return false
      const isLate = found.verdict === 'none' && now() - found.sinceMs >= waitMs
      return !isLate && !isCheckDue(found)
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
  /** Returns whether a tracked transaction stays `safe` until the next check of its witnesses. */
  isWithheld(hash: Hex): boolean
}

/** The hashes of a tracked transaction, and of the mined one: it or its replacement. */
type Hashes = { readonly hash: Hex; readonly minedHash: Hex }

/** Whether two nodes have the same final receipt, one contradicts it, it is not final at one, or too few nodes have a vote. */
type Verdict = 'agreed' | 'disagreed' | 'early' | 'none'

type Known = {
  readonly blockHash: Hex
  readonly sinceMs: number
  readonly checkedAtMs: number
  readonly verdict: Verdict
}

type Node = Pick<UpstreamNode, 'read'>

const readNow = (node: Node, method: string, ...params: readonly unknown[]) =>
  node.read({ request: { method, params }, startedAtMs: performance.now() })

type Vote = {
  readonly hash: Hex
  readonly receipt: Receipt
  readonly readFinalNumber: (node: Node) => Promise<bigint | undefined>
}

/** Returns whether a node has the same receipt in a final block. Another block at that number is a disagreement. */
async function readVote(node: Node, { hash, receipt, readFinalNumber }: Vote): Promise<Verdict> {
  const found = await readNow(node, 'eth_getTransactionReceipt', hash)
  if (found && toDigest(parseReceipt(found)) !== toDigest(receipt)) return 'disagreed'
  const finalNumber = await readFinalNumber(node)
  const isEarly = finalNumber !== undefined && finalNumber < receipt.blockNumber
  if (found) return isEarly ? 'early' : 'agreed'
  const block = await readNow(node, 'eth_getBlockByNumber', `0x${receipt.blockNumber.toString(16)}`, false)
  if (!isObject(block)) return isEarly ? 'early' : 'none'
  const { hash: blockHash, transactions } = block
  if (blockHash !== receipt.blockHash) return 'disagreed'
  // The node may have pruned its index of transactions.
  return Array.isArray(transactions) && transactions.includes(hash) ? 'none' : 'disagreed'
}

/** Creates the read of the number of a node's last final block; undefined if the node answers that it reports none. */
function createFinalNumbers(now: () => number) {
  const shared = new Map<Node, { readonly atMs: number; readonly number: Promise<bigint | undefined> }>()
  return (node: Node): Promise<bigint | undefined> => {
    const last = shared.get(node)
    if (last && now() - last.atMs < finalityMs) return last.number
    const started = { atMs: now(), number: readFinalNumberOf(node) }
    shared.set(node, started)
    // The next call repeats a failed read.
    started.number.catch(() => {
      if (shared.get(node) === started) shared.delete(node)
    })
    return started.number
  }
}

async function readFinalNumberOf(node: Node): Promise<bigint | undefined> {
  try {
    const block = await readNow(node, 'eth_getBlockByNumber', 'finalized', false)
    return isObject(block) ? hexToBigInt(block['number'] as Hex) : undefined
  } catch (error) {
    if (classifyError(error, 'eth_getBlockByNumber').isAnswer) return undefined
    throw error
  }
}

/** Returns the parts of a receipt that all nodes must agree on. */
function toDigest({ status, blockHash, blockNumber, gasUsed, logs }: Receipt): string {
  const events = logs.map(({ address, topics, data, logIndex }) => [address, topics, data, logIndex])
  return JSON.stringify([status, blockHash, String(blockNumber), String(gasUsed), events]).toLowerCase()
}
