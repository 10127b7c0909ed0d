import type { Hex } from 'viem'
import type { Request } from './createActor.ts'

/** Blocks that are searched, both ends included. */
export type Range = { readonly fromBlock: number; readonly toBlock: number }

/** Returns the blocks of a search for transfers. */
export function toRange({ params }: Request): Range {
  const [{ fromBlock, toBlock }] = params as readonly [{ readonly fromBlock: Hex; readonly toBlock?: Hex }]
  return { fromBlock: Number(fromBlock), toBlock: Number(toBlock) }
}

/** Returns whether a request reads the logs of a range of blocks. */
export const isRanged = ({ method, params }: Request) =>
  method === 'eth_getLogs' && 'fromBlock' in (params as readonly [object])[0]

/** Returns whether a read searches a range of blocks for transfers. */
export const isSearch = (request: Request) => isRanged(request) && 'topics' in (request.params as readonly [object])[0]
