import { Async, Errors, isObject } from '@agio/core'
import { numberToHex } from 'viem'
import type { Prefetch, PrefetchOutcome } from '../head/createPublishedHead.ts'
import { isSameHead, toHead, type Head } from '../head/Head.ts'
import { maxLagSeconds } from '../health/checkNode.ts'
import type { Doubts } from '../health/createDoubts.ts'
import { readNow } from '../health/readNow.ts'
import type { UpstreamNode } from '../health/UpstreamNode.ts'
import type { Rpc } from './createRpc.ts'

// After a time-out, other nodes are asked for a while.
const slowForMs = 10_000
// A child of a block that nodes agree on is not compared sooner.
const intervalMs = 400
// Nodes may have different blocks up to this depth, because of a reorganisation.
const reorganisationDepth = 2n

/**
 * Creates the check whether a second node follows the chain of a new head. It runs beside the prefetch of the head, so that
 * it adds no latency, and sends nothing with one node.
 *
 * A node that is ejected, fails, answers late or does not have the block abstains. If all others abstain, the head is
 * believed. With three nodes or more, the node that no other node confirms is not preferred until it agrees again. Two
 * nodes that contradict each other are both doubted.
 */
export function createAgreement({ rpc, doubts, isLinked, voteMs }: createAgreement.Dependencies) {
  const { nodes, announcers } = rpc
  const ask = createVote({ announcers, isLinked, voteMs })
  let checkedAtMs = -Infinity
  let verdict: Verdict | undefined

  function doubt(node: UpstreamNode, { kind, startedAtMs }: Doubted): void {
    doubts.add({ subject: 'head', position: node.position })
    node.recordHead({ doubt: kind, startedAtMs })
  }

  async function decide(head: Head, announcer: UpstreamNode): Promise<Verdict> {
    const startedAtMs = performance.now()
    let opponent: { readonly node: UpstreamNode; readonly newest: Head } | undefined
    for (const node of nodes) {
      if (node === announcer || !node.isUsable() || node.state() === 'unproven') continue
      const vote = await ask(node, { head, announcer, opponent })
      if (!vote) continue
      if (vote.kind === 'ahead' && announcer.state() === 'healthy') announcer.setLagging()
      if (vote.kind === 'ahead') return 'outvoted'
      const other = opponent && (await ask(node, { head: opponent.newest, announcer: opponent.node, opponent }))
      // A node whose newest block is an ancestor of both blocks does not decide.
      if (vote.kind === other?.kind) continue
      if (vote.kind === 'confirms') {
        if (opponent) doubt(opponent.node, { kind: 'chain', startedAtMs })
        return 'agreed'
      }
      if (other?.kind === 'confirms') {
        doubt(announcer, { kind: 'chain', startedAtMs })
        return 'outvoted'
      }
      opponent ??= { node, newest: vote.newest }
    }
    if (!opponent) return 'alone'
    for (const { position } of [announcer, opponent.node]) doubts.add({ subject: 'state', position })
    return 'disputed'
  }

  async function check(head: Head): Promise<Verdict> {
    const announcer = announcers.find(head)
    if (nodes.length < 2 || !announcer) return 'alone'
    const isChild = head.parentHash !== undefined && isLinked({ number: head.number - 1n, hash: head.parentHash })
    if (verdict === 'agreed' && isChild && performance.now() - checkedAtMs < intervalMs) return verdict
    checkedAtMs = performance.now()
    return (verdict = await decide(head, announcer))
  }

  return {
    /**
     * Returns a prefetch that fails if other nodes contradict the head. While the nodes agree, a second node is asked at most
     * once in 400 ms.
     */
    judge(prefetch: Prefetch): Prefetch {
      return (head, published) => {
        const reading = prefetch(head, published)
        if (nodes.length < 2) return reading
        return Promise.all([reading, check(head)]).then(([outcome, judged]) => {
          if (outcome && !outcome.error) announcers.find(head)?.recordHead({ startedAtMs: performance.now() })
          return toOutcome(judged, outcome)
        })
      }
    },
    /**
     * Returns the newest block of another node instead of a head that no node could read or that other nodes contradict;
     * undefined if no other node has another block. A node that announces two unreadable heads in a row is no longer preferred.
     */
    async replace(head: Head): Promise<Head | undefined> {
      const startedAtMs = performance.now()
      const other = await rpc.readOtherHead(head).catch(() => undefined)
      // Nodes that agree on a block may not have its state yet.
      if (!other || isSameHead(other, head)) return undefined
      const node = announcers.find(head)
      if (node?.state() === 'healthy') doubt(node, { kind: 'state', startedAtMs })
      return other
    },
    /** Returns whether the last head was believed without a second node, or contradicted, although there are several nodes. */
    isUnconfirmed: () => verdict !== undefined && verdict !== 'agreed',
  }
}

export declare namespace createAgreement {
  type Dependencies = {
    readonly rpc: Pick<Rpc, 'nodes' | 'announcers' | 'readOtherHead'>
    readonly doubts: Pick<Doubts, 'add'>
    /** Returns whether a block is the newest block or a known ancestor of it. */
    readonly isLinked: (block: Pick<Head, 'number' | 'hash'>) => boolean
    /** How long a head waits for the vote of a node; 1,000 by default. */
    readonly voteMs?: number | undefined
  }
}

/** Returns the outcome of a prefetch, which fails unless the nodes agree on the head. */
function toOutcome(verdict: Verdict, outcome: PrefetchOutcome = {}): PrefetchOutcome {
  if (verdict === 'agreed' || verdict === 'alone') return outcome
  const reason = 'its nodes disagree about the newest block'
  const error = Errors.upstreamError({ action: 'read the chain', reason })
  return { error, isUnreadable: verdict === 'outvoted', isDisputed: verdict === 'disputed' && !outcome.error }
}

/**
 * `agreed`: another node confirms the head. `alone`: no other node has a vote. `outvoted`: two other nodes agree on another
 * chain, or another node is far ahead. `disputed`: two nodes contradict each other, and no third node decides.
 */
type Verdict = 'agreed' | 'alone' | 'outvoted' | 'disputed'

type Doubted = { readonly kind: 'state' | 'chain'; readonly startedAtMs: number }
type Question = {
  readonly head: Head
  readonly announcer: UpstreamNode
  /** What contradicts the head, so that a child or a known ancestor of the head is no proof. */
  readonly opponent: object | undefined
}
type Vote = { readonly kind: 'confirms' | 'contradicts' | 'ahead'; readonly newest: Head }

/** Creates a function that asks nodes for their votes. After a time-out, a node is not asked for ten seconds. */
function createVote({ announcers, isLinked, voteMs = 1000 }: VoteDependencies) {
  const slowUntilMs = new Map<UpstreamNode, number>()

  async function compare(node: UpstreamNode, question: Question): Promise<Vote | undefined> {
    const { head } = question
    const newest = await announcers.readHead(node, performance.now())
    const isSame = await isSameChain(newest, { ...question, isLinked, node })
    if (isSame === undefined) return undefined
    const aheadSeconds = newest.number > head.number ? newest.timestampSeconds - head.timestampSeconds : 0n
    if (isSame && aheadSeconds > maxLagSeconds) return { kind: 'ahead', newest }
    return { kind: isSame ? 'confirms' : 'contradicts', newest }
  }
  /** Returns the vote of a node about a head that another node announced; undefined if it abstains. */
  return async (node: UpstreamNode, question: Question): Promise<Vote | undefined> => {
    if (performance.now() < (slowUntilMs.get(node) ?? -Infinity)) return undefined
    const comparing = compare(node, question).then(
      (vote) => ({ vote }),
      () => ({ vote: undefined }),
    )
    const answer = await Async.waitAtMost(voteMs, comparing)
    if (!answer) slowUntilMs.set(node, performance.now() + slowForMs)
    return answer?.vote
  }
}

type VoteDependencies = Pick<Rpc, 'announcers'> & Pick<createAgreement.Dependencies, 'isLinked' | 'voteMs'>

type Comparison = Pick<createAgreement.Dependencies, 'isLinked'> & Question & { readonly node: UpstreamNode }

/**
 * Returns whether a node follows the chain of a head by its own newest block: it is the head, an ancestor or a descendant.
 * Chains that differ in their last two blocks only are the same chain. Undefined if a block is missing.
 */
async function isSameChain(newest: Head, comparison: Comparison): Promise<boolean | undefined> {
  const { head, announcer, node, opponent, isLinked } = comparison
  if (newest.hash === head.hash) return isSameHead(newest, head)
  if (!opponent && newest.parentHash === head.hash) return newest.number === head.number + 1n
  if (!opponent && isLinked(newest)) return true
  if (newest.number < head.number) {
    const own = await readBlock(announcer, newest.number)
    if (own?.hash === newest.hash) return true
  } else {
    const block = await readBlock(node, head.number)
    if (block?.hash === head.hash) return isSameHead(block, head)
  }
  const depth = (newest.number < head.number ? newest : head).number - reorganisationDepth
  if (depth < 0n) return undefined
  const [own, other] = await Promise.all([readBlock(announcer, depth), readBlock(node, depth)])
  return own && other && own.hash === other.hash
}

/** Returns a block; undefined if the node does not have it. @throws the errors of `UpstreamNode.read` */
async function readBlock(node: Pick<UpstreamNode, 'read'>, number: bigint): Promise<Head | undefined> {
  const block = await readNow(node, 'eth_getBlockByNumber', numberToHex(number), false)
  return isObject(block) ? toHead(block) : undefined
}
