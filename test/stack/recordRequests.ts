import { headPoll, isHeadPoll, type Proxy } from './startProxy.ts'

/** The methods of each request to the node that some work makes, beside the service's polling for the newest block. */
export async function recordRequests(proxy: Proxy, work: () => Promise<unknown>): Promise<readonly string[]> {
  const before = proxy.requests.length
  await work()
  const made = proxy.requests.slice(before).filter((request) => !isHeadPoll(request))
  // A poll may fall into the same moment as a read, and then shares its batch.
  return made.map(({ calls }) => {
    const methods = calls.map(({ method }) => method)
    return methods.filter((method) => method !== headPoll).join(' ')
  })
}

/** How many of those requests, or of the calls in their batches, are of one method. */
export function countCalls(requests: readonly string[], method: string): number {
  return requests.flatMap((methods) => methods.split(' ')).filter((name) => name === method).length
}
