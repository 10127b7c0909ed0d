import { usableStates } from '../health/createNodeCircuit.ts'
import type { UpstreamNode } from '../health/UpstreamNode.ts'

/**
 * Returns the usable nodes in order of preference: the healthy nodes, then the lagging nodes, then the unproven nodes.
 *
 * @throws the error that the most preferred node is ejected for, if no node is usable
 */
export function selectNodes(nodes: readonly UpstreamNode[]): readonly UpstreamNode[] {
  const usable = usableStates.flatMap((state) => nodes.filter((node) => node.state() === state))
  if (usable.length > 0) return usable
  throw nodes[0]?.failure() ?? new Error('Cannot select a node: no node is configured')
}
