import { isLagging } from '../health/checkNode.ts'
import type { Head } from '../head/Head.ts'
import type { UpstreamNode } from '../health/UpstreamNode.ts'

const intervalMs = 5000

/**
 * Compares the newest blocks of the usable nodes while the newest known block is old. A node that lags behind another
 * node is no longer preferred. Nodes that agree on an old block do not lag. In that case the wall clock or the chain is
 * at fault.
 */
export function createLagDetector({ nodes, isOld, wallMs, onLag }: createLagDetector.Dependencies): LagDetector {
  let comparedAtMs = -Infinity

  async function compare(): Promise<void> {
    const read = async (node: UpstreamNode) => ({ node, head: await node.readHead(performance.now()) })
    const outcomes = await Promise.allSettled(nodes.filter((node) => node.isUsable()).map(read))
    const readings = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    const isBehind = (head: Head) => readings.some((other) => isLagging(head, other.head, wallMs()))
    const lagging = readings.filter(({ head, node }) => node.state() === 'healthy' && isBehind(head))
    for (const { node } of lagging) node.setLagging()
    if (lagging.length > 0) onLag()
  }
  return {
    observe(head) {
      if (nodes.length < 2 || performance.now() - comparedAtMs < intervalMs || !isOld(head)) return
      comparedAtMs = performance.now()
      void compare()
    },
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

/** Detects nodes that lag behind the newest block. */
export type LagDetector = {
  /** Takes the newest known block after each response of a node. */
  observe(head: Head): void
}
