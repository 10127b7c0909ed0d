import { Errors, isObject, type ServiceError } from '@agio/core'
import { LRUCache } from 'lru-cache'
import { hexToBigInt, numberToHex, type Hex } from 'viem'
import { classifyError } from '../errors/classifyError.ts'
import { toHead, type Head } from '../head/Head.ts'
import { agree, type Agreement } from '../health/agree.ts'
import type { Doubts } from '../health/createDoubts.ts'
import { usableStates } from '../health/createNodeCircuit.ts'
import { readNow } from '../health/readNow.ts'
import type { UpstreamNode } from '../health/UpstreamNode.ts'
import { parseReceipt, type Receipt } from '../transaction/readReceipt.ts'
import { toAbsence, readAbsence, type Absence } from './readAbsence.ts'
import type { MinedState, TrackedTransaction } from './trackTransaction.ts'

// While no second node answers, a final state is reported after this time.
const waitMs = 600_000

// The bounds of the time until a state without two witnesses is checked again.
const [minRecheckMs, maxRecheckMs] = [2000, 30_000]

const maxRemembered = 10_000

/**
 * Creates the check that two nodes have the receipt of a final transaction in a final block, and that the second one has
 * the same time of the block. Until then its state is reported as `safe`. Every node that takes requests has a vote,
 * because a lying node can make another node lag.
 *
 * While another node has an earlier final block, the transaction is not final, because the tag of one node may be wrong. A
 * node that does not answer, or has the block without an index of transactions, has no vote. Once no other node has had a
 * vote for ten minutes, the state is final. With one node, nothing is checked.
 *
 * In the same way, two nodes must confirm that a transaction is dropped, is replaced by no known transaction, or has left a
 * final block.
 */
export function createWitnesses({ nodes, doubts, now = () => performance.now() }: createWitnesses.Dependencies) {
  const verdicts = createVerdicts(now)
  const readVote = createReceiptVotes(now)
  // In the order in which reads prefer them, so that the last node has rarely sent the state.
  const listUsable = () => usableStates.flatMap((state) => nodes.filter((node) => node.state() === state))

  async function compare(hash: Hex, { receipt, block }: MinedState): Promise<Verdict> {
    let isEarly = false
    const read = async (node: UpstreamNode, agreed: number) => {
      const vote = await readVote(node, { hash, receipt })
      isEarly ||= vote === 'early'
      if (vote === 'early') return undefined
      return vote === true && agreed === 1 ? await hasSameTime(node, block) : vote
    }
    const outcome = await agree(listUsable(), read, { isSame: (vote) => vote, needed: 2 })
    if (outcome.verdict === 'disagreed') doubts.add({ subject: 'receipt', position: outcome.node.position })
    return outcome.verdict === 'none' && isEarly ? 'early' : outcome.verdict
  }
  /** Asks the nodes whether they confirm that a transaction is absent. */
  async function compareAbsence(hash: Hex, absence: Absence) {
    const read = (node: UpstreamNode) => readAbsence(node, hash, absence)
    const outcome = await agree(listUsable(), read, { isSame: (vote) => vote === 'gone', needed: 2 })
    if (outcome.vote === 'mined') doubts.add({ subject: 'receipt', position: outcome.node.position })
    return outcome
  }
  async function confirm<State extends MinedState>(mined: State, { hash, minedHash }: Hashes): Promise<State> {
    if (mined.finality !== 'finalized') return mined
    const { receipt } = mined
    const found = verdicts.find(hash, receipt.blockHash)
    const isDue = verdicts.isCheckDue(found)
    const checked = isDue ? verdicts.record(hash, found, await compare(minedHash, mined)) : found
    if (checked.verdict === 'agreed') return { ...mined, witnesses: 2 }
    return verdicts.isLate(checked) ? { ...mined, witnesses: 1 } : { ...mined, finality: 'safe' }
  }
  async function confirmMined(hash: Hex, tracked: TrackedTransaction): Promise<TrackedTransaction> {
    const { state } = tracked
    if (state.status === 'mined') return { ...tracked, state: await confirm(state, { hash, minedHash: hash }) }
    if (state.status !== 'replaced' || !state.winner) return tracked
    const winner = await confirm(state.winner, { hash, minedHash: state.winner.hash })
    return { ...tracked, state: { ...state, winner } }
  }
  async function confirmAbsence(hash: Hex, tracked: TrackedTransaction, trackAt: TrackAt): Promise<TrackedTransaction> {
    const absence = toAbsence(tracked, verdicts.findAgreed(hash))
    if (!absence) return tracked
    const key = `absence ${hash}`
    const outcome = await compareAbsence(hash, absence)
    const checked = verdicts.record(key, verdicts.find(key, hash), outcome.verdict)
    if (outcome.verdict === 'disagreed') return await trackAt(outcome.node)
    if (outcome.verdict === 'agreed' || verdicts.isLate(checked)) return tracked
    if (absence.left) throw toUnconfirmedError(hash)
    return { ...tracked, state: { status: 'pending', visibility: 'hidden' } }
  }
  return {
    /**
     * Returns the state of a transaction, with the number of nodes that have its receipt if it is final. Without two such
     * nodes the state is `safe` for now. A dropped transaction, and one that no known transaction replaced, is `pending` until
     * two nodes confirm it. If another node contradicts, returns the state at that node.
     *
     * @throws `svc/upstream-error` while only one node says that a transaction has left its final block
     */
    async confirm(hash: Hex, tracked: TrackedTransaction, trackAt: TrackAt): Promise<TrackedTransaction> {
      if (nodes.length < 2) return tracked
      return await confirmMined(hash, await confirmAbsence(hash, tracked, trackAt))
    },
    /** Returns whether a tracked transaction stays `safe` until the next check of its witnesses. */
    isWithheld: verdicts.isWithheld,
  }
}

/**
 * Creates the memory of verdicts about transactions. A verdict that is not `agreed` is checked again after a quarter of the
 * time that the transaction has waited.
 */
function createVerdicts(now: () => number) {
  const known = new LRUCache<string, Known>({ max: maxRemembered })
  function isCheckDue({ verdict, sinceMs, checkedAtMs }: Known): boolean {
    const recheckMs = Math.min(maxRecheckMs, Math.max(minRecheckMs, (checkedAtMs - sinceMs) / 4))
    return verdict !== 'agreed' && now() - checkedAtMs >= recheckMs
  }
  /** Returns whether no second node has had a vote for ten minutes. */
  const isLate = ({ verdict, aloneSinceMs }: Known) => verdict === 'none' && now() - aloneSinceMs >= waitMs
  return {
    isCheckDue,
    isLate,
    find(key: string, blockHash: Hex): Known {
      const earlier = known.get(key)
      if (earlier?.blockHash === blockHash) return earlier
      return { blockHash, sinceMs: now(), aloneSinceMs: now(), checkedAtMs: -Infinity, verdict: 'none' }
    },
    /** Returns the block in which two nodes had the final receipt of a transaction. */
    findAgreed(hash: Hex): Hex | undefined {
      const found = known.get(hash)
      return found?.verdict === 'agreed' ? found.blockHash : undefined
    },
    record(key: string, found: Known, verdict: Verdict): Known {
      const aloneSinceMs = verdict === 'none' ? found.aloneSinceMs : now()
      const recorded = { ...found, checkedAtMs: now(), aloneSinceMs, verdict }
      known.set(key, recorded)
      return recorded
    },
    isWithheld(hash: Hex): boolean {
      const found = known.get(hash)
      return found !== undefined && found.verdict !== 'agreed' && !isLate(found) && !isCheckDue(found)
    },
  }
}

function toUnconfirmedError(hash: Hex): ServiceError {
  const reason = 'one node says that it has left its final block, and no other node answers'
  return Errors.upstreamError({ action: `track transaction ${hash}`, reason })
}

export declare namespace createWitnesses {
  type Dependencies = {
    readonly nodes: readonly UpstreamNode[]
    readonly doubts: Pick<Doubts, 'add'>
    readonly now?: (() => number) | undefined
  }
}

/** The verdict of the nodes; `early` if the transaction is not final at one of them. */
type Verdict = Agreement<unknown, unknown>['verdict'] | 'early'

/** Returns the state of the transaction at one node. */
type TrackAt = (node: UpstreamNode) => Promise<TrackedTransaction>

/** The hashes of a tracked transaction, and of the mined one: it or its replacement. */
type Hashes = { readonly hash: Hex; readonly minedHash: Hex }

type Known = {
  readonly blockHash: Hex
  readonly sinceMs: number
  /** The time since which no second node has had a vote. */
  readonly aloneSinceMs: number
  readonly checkedAtMs: number
  readonly verdict: Verdict
}

// The transactions of a chain share the last final block of a node for this time.
const finalityMs = 2000

/**
 * Creates the read of a node's vote about the receipt of a final transaction. A node has no vote if it lags and its last
 * final block has not changed for some time, because it may never catch up.
 */
function createReceiptVotes(now: () => number): ReadVote {
  const finalNumbers = createFinalNumbers(now)
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
function createFinalNumbers(now: () => number) {
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
      return node.state() === 'lagging' && now() - atMs >= waitMs
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
async function hasSameTime(node: UpstreamNode, { hash, timestampSeconds }: Head): Promise<boolean | undefined> {
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
