import type { ProxiedRequest } from '../stack/startProxy.ts'

/** Whether a request to a node is more than a question for the newest block. */
export function isStateRead({ calls }: Pick<ProxiedRequest, 'calls'>): boolean {
  return calls.some(({ method }) => method === 'eth_call')
}
