import { listVotes } from '../health/agree.ts'
import { isLagging } from '../health/checkNode.ts'
import type { Head } from '../head/Head.ts'
import type { UpstreamNode } from '../health/UpstreamNode.ts'

const intervalMs = 5000

/**
 * Compares the newest blocks of the usable nodes while the newest known block is old. A node that lags behind another
 * node is no longer preferred. Nodes that agree on an old block do not lag. In that case the wall clock or the chain is
 * at fault. The function takes the newest known block after each response of a node.
 */
export function createLagDetector({ nodes, isOld, wallMs, onLag }: createLagDetector.Dependencies) {
  let comparedAtMs = -Infinity

  async function compare(): Promise<void> {
    const usable = nodes.filter((node) => node.isUsable())
    const heads = await listVotes(usable, (node) => node.readHead(performance.now()))
    const isBehind = (head: Head) => heads.some((other) => isLagging(head, other.vote, wallMs()))
    const lagging = heads.filter(({ vote, node }) => node.state() === 'healthy' && isBehind(vote))
    for (const { node } of lagging) node.setLagging()
    if (lagging.length > 0) onLag()
  }
  return (head: Head): void => {
    if (nodes.length < 2 || performance.now() - comparedAtMs < intervalMs || !isOld(head)) return
    comparedAtMs = performance.now()
    void compare()
  }
}

export declare namespace createLagDetector {
  type Dependencies = {
    readonly nodes: readonly UpstreamNode[]
    /** Returns whether a block is so old that it may not be the newest. */
    readonly isOld: (head: Head) => boolean
    /** The wall clock, in milliseconds. */
    readonly wallMs: () => number
    /** Called after nodes were found to lag. */
    readonly onLag: () => void
  }
}
