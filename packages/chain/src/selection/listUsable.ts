import type { Node } from '../health/Node.ts'

/**
 * The nodes to ask, in order of preference; those that lag behind come last.
 *
 * @throws what the most preferred one is left alone for, if all of them are
 */
export function listUsable(nodes: readonly Node[]): readonly Node[] {
  const inState = (state: string) => nodes.filter((node) => node.state() === state)
  const usable = [...inState('healthy'), ...inState('lagging')]
  if (usable.length > 0) return usable
  throw nodes[0]?.failure() ?? new Error('no node is named')
}
