import type { Hex } from 'viem'
import { agree } from '../health/agree.ts'
import type { UpstreamNode } from '../health/UpstreamNode.ts'
import type { Rpc } from '../selection/createRpc.ts'
import { readTransaction, type SeenTransaction } from './readSighting.ts'

// A poll is charged for the requests to these nodes.
const maxOthers = 2

/** The reads of a tracking. With the client of one node alone, no other node is asked. */
export type TrackingRpc = Pick<Rpc, 'client'> & Partial<Pick<Rpc, 'nodes' | 'forNode'>>

/** The reads of a node that has a transaction, and the transaction as the node returned it. */
type Elsewhere = { readonly rpc: Pick<Rpc, 'client'>; readonly seen: SeenTransaction }

/**
 * Asks up to two healthy nodes besides the preferred one whether they have a transaction. The preferred node may not have it
 * yet, or may hide it. Returns the first result of `trackAt`; undefined if no node has the transaction. An error of a node
 * counts as no answer.
 */
export async function findElsewhere<Result extends object>(
  { nodes = [], forNode }: TrackingRpc,
  hash: Hex,
  trackAt: (elsewhere: Elsewhere) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  if (!forNode) return undefined
  const healthy = nodes.filter((node) => node.state() === 'healthy')
  const track = async (node: UpstreamNode) => {
    const rpc = forNode(node)
    const seen = await readTransaction(rpc, hash)
    return seen && (await trackAt({ rpc, seen }))
  }
  const { vote } = await agree(healthy.slice(1, 1 + maxOthers), track, { isSame: () => true })
  return vote
}
