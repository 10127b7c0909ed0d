import type { Head } from '../head/Head.ts'
import { isLagging, maxDifferenceSeconds } from '../health/checkNode.ts'
import type { Doubts } from '../health/createDoubts.ts'
import type { Rpc } from './createRpc.ts'

/**
 * Creates the checks of heads by other nodes. They send requests only after a head that no node can read, and for a new
 * head that is more than a minute ahead of the wall clock or older than the maximum age of a block.
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
  const isDoubtful = (head: Head) => rpc.nodes.length > 1 && (isAhead(head) || (isBehind(head) && !isNewest(head)))

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
  return {
    isDoubtful,
    async checkTime(head) {
      if (!isDoubtful(head)) {
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
    },
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
  /** Returns whether the time of a head must be compared with another node's. */
  isDoubtful(head: Head): boolean
  /**
   * Returns a head. If its time is doubtful, and differs by more than a minute from the newest block of another node,
   * returns the block of the other node, and the first node is no longer preferred.
   */
  checkTime(head: Head): Promise<Head>
  /**
   * Records that no node could read a head. After two such heads in a row its node is no longer preferred.
   *
   * @returns the newest block of another node; undefined if no other node answers, or if it announces the same block
   */
  replaceUnreadable(head: Head): Promise<Head | undefined>
  /** Records that a head could be read. */
  recordReadable(head: Head): void
}
