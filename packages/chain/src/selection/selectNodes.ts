import type { NodeState, UpstreamNode } from '../health/UpstreamNode.ts'

/**
 * The usable nodes in order of preference, the healthy ones before the lagging ones.
 *
 * @throws the error that the most preferred node is ejected for, if none is usable
 */
export function selectNodes(nodes: readonly UpstreamNode[]): readonly UpstreamNode[] {
  const inState = (state: NodeState) => nodes.filter((node) => node.state() === state)
  const usable = [...inState('healthy'), ...inState('lagging')]
  if (usable.length > 0) return usable
  throw nodes[0]?.failure() ?? new Error('Cannot select a node: none is configured')
}
