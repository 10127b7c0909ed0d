import { Errors, type ServiceError } from '@agio/core'
import { LRUCache } from 'lru-cache'
import type { Hex } from 'viem'
import { agree, type Agreement } from '../health/agree.ts'
import type { Doubts } from '../health/createDoubts.ts'
import { usableStates } from '../health/createNodeCircuit.ts'
import type { UpstreamNode } from '../health/UpstreamNode.ts'
import { createReceiptVotes, hasSameTime } from './createReceiptVotes.ts'
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
  const readVote = createReceiptVotes({ stuckAfterMs: waitMs, now })
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
    /** The monotonic clock, in milliseconds. */
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
