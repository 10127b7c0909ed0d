import type { Head } from '../head/Head.ts'
import type { UpstreamNode } from '../health/UpstreamNode.ts'

/** Creates the memory of which node announced a head, so that a head that no node can read is a fault of that node. */
export function createAnnouncers(): Announcers {
  // By object, because two nodes may announce one hash with different times.
  const nodes = new WeakMap<Head, UpstreamNode>()
  function remember(head: Head, node: UpstreamNode): Head {
    nodes.set(head, node)
    return head
  }
  return {
    find: (head) => nodes.get(head),
    remember,
    readHead: async (node, startedAtMs) => remember(await node.readHead(startedAtMs), node),
  }
}

/** Remembers which node announced a head. */
export type Announcers = {
  /** Returns the node that announced a head. */
  find(head: Head): UpstreamNode | undefined
  /** Remembers the node of a head, and returns the head. */
  remember(head: Head, node: UpstreamNode): Head
  /** Reads the newest block of a node, and remembers the node. @throws the errors of `UpstreamNode.readHead` */
  readHead(node: UpstreamNode, startedAtMs: number): Promise<Head>
}
