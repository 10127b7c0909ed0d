import { readerAbi } from '@agio/chain/abi'
import { encodeFunctionData, type Hex } from 'viem'
import type { ProxiedRequest, Proxy } from './startProxy.ts'

const selector = encodeFunctionData({ abi: readerAbi, functionName: 'probedStates', args: [[]] }).slice(0, 10)

type Call = { readonly method: string; readonly params: readonly [{ readonly data: Hex }, { readonly blockHash: Hex }] }

/** Lists the hashes of the blocks at which the service read its pools, in order, from request number `after` on. */
export function listStateReads({ requests }: Proxy, after = 0): readonly Hex[] {
  const calls = requests.slice(after).flatMap(({ body }) => JSON.parse(body) as Call | Call[])
  const reads = calls.filter(({ method, params }) => method === 'eth_call' && params[0].data.startsWith(selector))
  return reads.map(({ params }) => params[1].blockHash)
}

/** Whether a request to a node reads state, rather than only the newest block. */
export function isStateRead({ calls }: Pick<ProxiedRequest, 'calls'>): boolean {
  return calls.some(({ method }) => method === 'eth_call')
}
