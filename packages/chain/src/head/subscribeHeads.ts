import type { Socket } from '../rpc/createSocket.ts'
import type { Head } from './Head.ts'
import type { Subscribe, Subscription } from './Subscription.ts'
import { toHead } from './toHead.ts'

/**
 * Subscribes to new blocks over the first of the sockets whose node lets us.
 *
 * @throws what the last one failed with
 */
export async function subscribeHeads(
  sockets: readonly Socket[],
  onNotice: Parameters<Subscribe>[0],
): Promise<Subscription> {
  let failure: unknown
  for (const socket of sockets) {
    try {
      const { ask, ended, retire } = await socket.subscribe((notice) => onNotice(findHead(notice)))
      const read = async () => toHead(await ask({ method: 'eth_getBlockByNumber', params: ['latest', false] }))
      return { read, ended, stop: retire }
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

function findHead(notice: unknown): Head | undefined {
  try {
    return toHead(notice)
  } catch {
    return undefined
  }
}
