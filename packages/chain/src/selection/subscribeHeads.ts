import type { Connection } from '../transport/createConnection.ts'
import type { Node } from '../health/Node.ts'
import type { Head } from '../head/Head.ts'
import type { Subscribe, Subscription } from '../head/Subscription.ts'
import { toHead } from '../head/toHead.ts'

/**
 * Subscribes to new blocks by the first of the nodes that lets us.
 *
 * @throws what the last one failed with
 */
export async function subscribeHeads(
  nodes: readonly Node<Connection>[],
  onNotice: Parameters<Subscribe>[0],
): Promise<Subscription> {
  let failure: unknown
  for (const node of nodes) {
    try {
      return await node.workOver((connection) => subscribe(connection, onNotice))
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

async function subscribe(connection: Connection, onNotice: Parameters<Subscribe>[0]): Promise<Subscription> {
  const { ask, ended, retire, setOnNotice } = connection
  setOnNotice((notice) => onNotice(findHead(notice)))
  await ask({ method: 'eth_subscribe', params: ['newHeads'] })
  const read = async () => toHead(await ask({ method: 'eth_getBlockByNumber', params: ['latest', false] }))
  return { read, ended, stop: retire }
}

function findHead(notice: unknown): Head | undefined {
  try {
    return toHead(notice)
  } catch {
    return undefined
  }
}
