import { headPoll, isHeadPoll, type ProxiedRequest, type Proxy } from './startProxy.ts'

/**
 * The methods of each request to the node during some work, without the polling for the newest block, and without the check
 * of its chain id, which follows a fault.
 */
export async function recordRequests(proxy: Proxy, work: () => Promise<unknown>): Promise<readonly string[]> {
  const before = proxy.requests.length
  await work()
  const made = proxy.requests.slice(before).filter((request) => !isHeadPoll(request) && !isChainIdCheck(request))
  // A poll in the same tick as a read shares its batch.
  return made.map(({ calls }) => {
    const methods = calls.map(({ method }) => method)
    return methods.filter((method) => method !== headPoll).join(' ')
  })
}

function isChainIdCheck({ calls }: ProxiedRequest): boolean {
  return calls.every(({ method }) => method === 'eth_chainId')
}

/** Counts the calls of one method in recorded requests. */
export function countCalls(requests: readonly string[], method: string): number {
  return requests.flatMap((methods) => methods.split(' ')).filter((name) => name === method).length
}
