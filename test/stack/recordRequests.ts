import { headPoll, isHeadPoll, type Proxy } from './startProxy.ts'

/** The methods of each request to the node during some work, without the polling for the newest block. */
export async function recordRequests(proxy: Proxy, work: () => Promise<unknown>): Promise<readonly string[]> {
  const before = proxy.requests.length
  await work()
  const made = proxy.requests.slice(before).filter((request) => !isHeadPoll(request))
  // A poll in the same tick as a read shares its batch.
  return made.map(({ calls }) => {
    const methods = calls.map(({ method }) => method)
    return methods.filter((method) => method !== headPoll).join(' ')
  })
}

/** Counts the calls of one method in recorded requests. */
export function countCalls(requests: readonly string[], method: string): number {
  return requests.flatMap((methods) => methods.split(' ')).filter((name) => name === method).length
}
