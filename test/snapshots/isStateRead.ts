import type { ProxiedRequest } from '../stack/startProxy.ts'

/** Whether a request to a node reads state, rather than only the newest block. */
export function isStateRead({ calls }: Pick<ProxiedRequest, 'calls'>): boolean {
  return calls.some(({ method }) => method === 'eth_call')
}
