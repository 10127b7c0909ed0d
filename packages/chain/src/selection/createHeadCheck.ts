import type { Head } from '../head/Head.ts'
import { maxAheadSeconds } from '../health/checkNode.ts'
import type { Doubts } from '../health/createDoubts.ts'
import type { Rpc } from './createRpc.ts'

/**
 * Creates the checks of heads by other nodes. They send requests only after a head that no node can read, and for a head
 * that is more than a minute ahead of the wall clock.
 */
export function createHeadCheck({ rpc, doubts, wallMs = Date.now }: createHeadCheck.Dependencies): HeadCheck {
  // Nodes that agree on a time ahead are believed from then on: the wall clock is behind, or a local chain travels in time.
  let agreedSeconds = 0n

  function doubt(head: Head, reason: 'state' | 'time', startedAtMs: number): void {
    const node = rpc.announcers.find(head)
    if (!node) return
    doubts.add({ subject: reason === 'time' ? 'time' : 'head', position: node.position })
    node.recordHead({ doubt: reason, startedAtMs })
  }
  const findAheadSeconds = (head: Head) => head.timestampSeconds - BigInt(Math.floor(wallMs() / 1000))
  const isAhead = (head: Head) => findAheadSeconds(head) > agreedSeconds + maxAheadSeconds
  return {
    isAhead,
    async checkTime(head) {
      if (!isAhead(head)) return head
      const startedAtMs = performance.now()
      const other = await rpc.readOtherHead(head).catch(() => undefined)
      if (other && head.timestampSeconds - other.timestampSeconds > maxAheadSeconds) {
        doubt(head, 'time', startedAtMs)
        return other
      }
      if (other) agreedSeconds = findAheadSeconds(head)
      return head
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
    readonly rpc: Pick<Rpc, 'announcers' | 'readOtherHead'>
    readonly doubts: Pick<Doubts, 'add'>
    /** The wall clock, in milliseconds. */
    readonly wallMs?: (() => number) | undefined
  }
}

/** Checks heads by other nodes. */
export type HeadCheck = {
  /** Returns whether a head must be compared with another node's, because it is ahead of the wall clock. */
  isAhead(head: Head): boolean
  /**
   * Returns a head. If it is more than a minute ahead of the wall clock and of the newest block of another node, returns the
   * block of the other node, and the first node is no longer preferred.
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
