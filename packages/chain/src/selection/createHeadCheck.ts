import { Async } from '@agio/core'
import { toHead, type Head } from '../head/Head.ts'
import { isLagging, maxDifferenceSeconds } from '../health/checkNode.ts'
import type { Doubts } from '../health/createDoubts.ts'
import { readNow } from '../health/readNow.ts'
import type { UpstreamNode } from '../health/UpstreamNode.ts'
import type { Rpc } from './createRpc.ts'

// A hung node does not delay a head longer.
const answerMs = 1000
// More blocks than a network produces. A node that answers late may skip a few blocks of the same second.
const [maxBlocksPerSecond, maxBlocksAtOnce] = [8, 4]

/**
 * Creates the checks of heads by other nodes. They send requests only after a head that no node can read, for a new head that
 * is more than a minute ahead of the wall clock or older than the maximum age of a block, and for a new head whose number
 * does not follow from its parent or from the time since the last head.
 */
export function createHeadCheck({
  rpc,
  doubts,
  findHead,
  isOld,
  wallMs = Date.now,
}: createHeadCheck.Dependencies): HeadCheck {
  // How far the nodes agree that the chain is ahead of the wall clock, or behind it if negative. Then the wall clock is
  // wrong, the chain stands still, or a local chain travels in time.
  let agreedSeconds = 0

  const findAheadSeconds = (head: Head) => Number(head.timestampSeconds) - Math.floor(wallMs() / 1000)
  const isAhead = (head: Head) => findAheadSeconds(head) > Math.max(agreedSeconds, 0) + maxDifferenceSeconds
  const isBehind = (head: Head) => isOld(head) && findAheadSeconds(head) < agreedSeconds - maxDifferenceSeconds
  // The newest head grows old while the chain stands still.
  const isNewest = (head: Head) => head.hash === findHead()?.hash
  const hasDoubtfulTime = (head: Head) => rpc.nodes.length > 1 && (isAhead(head) || (isBehind(head) && !isNewest(head)))
  const numbers = createNumberCheck({
    rpc,
    findHead,
    onContradiction: (head) => doubt(head, 'state', performance.now()),
  })

  function doubt(head: Head, reason: 'state' | 'time', startedAtMs: number): void {
    const node = rpc.announcers.find(head)
    if (!node) return
    doubts.add({ subject: reason === 'time' ? 'time' : 'head', position: node.position })
    node.recordHead({ doubt: reason, startedAtMs })
  }
  /** Returns whether another node contradicts a doubtful time by more than a minute. */
  function isContradicted(head: Head, other: Head): boolean {
    const aheadSeconds = Number(head.timestampSeconds - other.timestampSeconds)
    if (isAhead(head)) return aheadSeconds > maxDifferenceSeconds
    return -aheadSeconds > maxDifferenceSeconds && !isAhead(other)
  }
  async function compareTime(head: Head): Promise<Head> {
    if (!hasDoubtfulTime(head)) {
      if (!isOld(head) && findAheadSeconds(head) <= maxDifferenceSeconds) agreedSeconds = 0
      return head
    }
    const startedAtMs = performance.now()
    const other = await rpc.readOtherHead(head).catch(() => undefined)
    if (!other) return head
    if (!isContradicted(head, other)) {
      agreedSeconds = findAheadSeconds(head)
      return head
    }
    const node = rpc.announcers.find(head)
    if (!isLagging(head, other, wallMs())) doubt(head, 'time', startedAtMs)
    else if (node?.state() === 'healthy') node.setLagging()
    return other
  }
  return {
    isDoubtful: (head) => hasDoubtfulTime(head) || numbers.isDoubtful(head),
    check: async (head) => await numbers.check(await compareTime(head)),
    async replaceUnreadable(head) {
      const startedAtMs = performance.now()
      const other = await rpc.readOtherHead(head).catch(() => undefined)
      // Nodes that agree on a block may not have its state yet.
      if (other?.hash === head.hash) return undefined
      doubt(head, 'state', startedAtMs)
      return other
    },
    recordReadable: (head) => rpc.announcers.find(head)?.recordHead({ startedAtMs: performance.now() }),
  }
}

type NumberCheckDependencies = Pick<createHeadCheck.Dependencies, 'rpc' | 'findHead'> & {
  /** Called with a head whose number another node contradicts. */
  readonly onContradiction: (head: Head) => void
}

/** Creates the check of the numbers of new heads. A head has the number that follows from its parent at another node. */
function createNumberCheck({ rpc, findHead, onContradiction }: NumberCheckDependencies) {
  let last: Head | undefined
  // Whether a doubtful number was believed because no other node had the block.
  let isUnconfirmed = false

  function isDoubtfulAfter(known: readonly Head[], { number, parentHash, timestampSeconds }: Head): boolean {
    const parent = known.find(({ hash }) => hash === parentHash)
    if (parent) return number !== parent.number + 1n
    const [newest] = known
    if (!newest) return false
    const elapsedSeconds = Math.max(0, Number(timestampSeconds - newest.timestampSeconds))
    return Number(number - newest.number) > maxBlocksAtOnce + maxBlocksPerSecond * elapsedSeconds
  }
  const listKnown = () => [findHead(), last].filter((head) => head !== undefined)
  const isKnown = ({ hash }: Head) => listKnown().some((known) => known.hash === hash)
  const isOff = (head: Head) => isDoubtfulAfter(listKnown(), head)
  const isDoubtful = (head: Head) => rpc.nodes.length > 1 && !isKnown(head) && (isUnconfirmed || isOff(head))

  async function compare(head: Head): Promise<Head> {
    const found = await Async.waitAtMost(answerMs, readByHash(rpc, head))
    if (found?.number === head.number || !found) {
      isUnconfirmed = !found
      return head
    }
    const corrected = { ...head, number: found.number }
    // A node that contradicts the known blocks too is not believed.
    if (!isUnconfirmed && isOff(corrected)) return head
    isUnconfirmed = false
    onContradiction(head)
    return rpc.announcers.remember(corrected, found.node)
  }
  return {
    isDoubtful,
    async check(head: Head): Promise<Head> {
      if (isKnown(head)) return head
      last = isDoubtful(head) ? await compare(head) : head
      return last
    },
  }
}

type Found = { readonly number: bigint; readonly node: UpstreamNode }

/** Returns the number of a head at another node than the one that announced it; undefined if no other node has its parent. */
async function readByHash(
  { nodes, announcers }: NumberCheckDependencies['rpc'],
  head: Head,
): Promise<Found | undefined> {
  const announcer = announcers.find(head)
  // Other nodes may not have the head yet.
  const { parentHash: hash = head.hash } = head
  for (const node of nodes) {
    if (node === announcer || !node.isUsable()) continue
    const block = await readNow(node, 'eth_getBlockByHash', hash, false)
      .then(toHead)
      .catch(() => undefined)
    if (block?.hash === hash) return { number: hash === head.hash ? block.number : block.number + 1n, node }
  }
  return undefined
}

export declare namespace createHeadCheck {
  type Dependencies = {
    readonly rpc: Pick<Rpc, 'announcers' | 'nodes' | 'readOtherHead'>
    readonly doubts: Pick<Doubts, 'add'>
    /** Returns the newest known head. */
    readonly findHead: () => Head | undefined
    /** Returns whether a block is older than the maximum age by the wall clock. */
    readonly isOld: (head: Head) => boolean
    /** The wall clock, in milliseconds. */
    readonly wallMs?: (() => number) | undefined
  }
}

/** Checks heads by other nodes. */
export type HeadCheck = {
  /** Returns whether the time or the number of a head must be compared with another node's. */
  isDoubtful(head: Head): boolean
  /**
   * Returns a head. If its time is doubtful, and differs by more than a minute from the newest block of another node,
   * returns the block of the other node, and the first node is no longer preferred. If its number is doubtful, and another node
   * has its parent at another number, returns the head with the number that follows.
   */
  check(head: Head): Promise<Head>
  /**
   * Records that no node could read a head. After two such heads in a row its node is no longer preferred.
   *
   * @returns the newest block of another node; undefined if no other node answers, or if it announces the same block
   */
  replaceUnreadable(head: Head): Promise<Head | undefined>
  /** Records that a head could be read. */
  recordReadable(head: Head): void
}
