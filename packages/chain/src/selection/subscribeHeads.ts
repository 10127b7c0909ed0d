import { toHead, type Head } from '../head/Head.ts'
import type { Subscribe, Subscription } from '../head/Subscription.ts'
import type { UpstreamNode } from '../health/UpstreamNode.ts'
import type { Announcers } from './createRpc.ts'
import type { Connection } from '../transport/createConnection.ts'

/**
 * Subscribes to new blocks at the first node that accepts the subscription.
 *
 * @throws the error of the last node, if no node accepts it
 */
export async function subscribeHeads(
  nodes: readonly UpstreamNode<Connection>[],
  { onNotice, announcers }: subscribeHeads.Listener,
): Promise<Subscription> {
  let failure: unknown
  for (const node of nodes) {
    try {
      const remember = (head: Head) => announcers.remember(head, node)
      return await node.withLink((connection, readHead) =>
        subscribe(
          connection,
          () => readHead().then(remember),
          (head) => onNotice(head && remember(head)),
        ),
      )
    } catch (error) {
      failure = error
    }
  }
  throw failure ?? new Error('Cannot subscribe to new blocks: all WebSocket nodes lag')
}

export declare namespace subscribeHeads {
  type Listener = {
    readonly onNotice: Parameters<Subscribe>[0]
    /** Remembers the node of each head. */
    readonly announcers: Announcers
  }
}

async function subscribe(
  connection: Connection,
  read: Subscription['read'],
  onNotice: Parameters<Subscribe>[0],
): Promise<Subscription> {
  const { request, ended, closeWhenIdle, setOnNotice } = connection
  setOnNotice((notice) => onNotice(findHead(notice)))
  await request({ method: 'eth_subscribe', params: ['newHeads'] })
  return { read, ended, stop: closeWhenIdle }
}

function findHead(notice: unknown): Head | undefined {
  try {
    return toHead(notice)
  } catch {
    return undefined
  }
}
