import { toHead, type Head } from '../head/Head.ts'
import type { Subscribe, Subscription } from '../head/Subscription.ts'
import type { CodeVerifier } from '../health/createCodeVerifier.ts'
import type { Connection } from '../transport/createConnection.ts'
import type { Rpc } from './createRpc.ts'

/**
 * Creates the subscription to new blocks at the first node that accepts it, once the contracts of the chain are verified. It
 * throws the error of the last node if no node accepts it.
 */
export function createSubscribe({ rpc, codeVerifier }: createSubscribe.Dependencies): Subscribe {
  const { remember } = rpc.announcers
  return async (onNotice) => {
    await codeVerifier.verify()
    let failure: unknown
    for (const node of rpc.listPreferredSockets()) {
      try {
        return await node.withLink((connection, readHead) =>
          subscribe(
            connection,
            () => readHead().then((head) => remember(head, node)),
            (head) => onNotice(head && remember(head, node)),
          ),
        )
      } catch (error) {
        failure = error
      }
    }
    throw failure ?? new Error('Cannot subscribe to new blocks: all WebSocket nodes lag')
  }
}

export declare namespace createSubscribe {
  type Dependencies = {
    readonly rpc: Pick<Rpc, 'announcers' | 'listPreferredSockets'>
    readonly codeVerifier: Pick<CodeVerifier, 'verify'>
  }
}

async function subscribe(
  { request, ended, closeWhenIdle, setOnNotice }: Connection,
  read: Subscription['read'],
  onNotice: Parameters<Subscribe>[0],
): Promise<Subscription> {
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
