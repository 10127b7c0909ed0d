import { ServiceError } from '@agio/core'
import type { Head } from '../head/Head.ts'
import { toHead } from '../head/toHead.ts'
import { askConfirmed } from './askConfirmed.ts'
import type { ChainCheck } from './createChainCheck.ts'
import type { Link } from '../transport/Link.ts'
import type { NodeState } from './Node.ts'

// Some blocks of a chain that has one in two seconds, many of one that has four a second.
const maxLagSeconds = 15n

/** How a node is, and what it is left alone for if it is not well. */
export type Condition = {
  readonly state: NodeState
  readonly failure?: ServiceError
  /** The chain that it serves in place of ours. */
  readonly servedChainId?: number
}

/**
 * Reads whether a node that answers is well, or more than 15 s of the chain's time behind the newest block that is known.
 *
 * @throws what a failed answer throws, `svc/upstream-error` for another chain
 */
export async function readCondition(link: Link, { chain, findHead }: readCondition.World): Promise<Condition> {
  const body = { method: 'eth_getBlockByNumber', params: ['latest', false] }
  const { timestampSeconds } = toHead(await askConfirmed(link, { chain: { confirm: chain.recheck }, body }))
  const known = findHead()
  if (!known || known.timestampSeconds - timestampSeconds <= maxLagSeconds) return { state: 'healthy' }
  const message = 'Cannot read the chain: its node lags behind'
  return { state: 'lagging', failure: new ServiceError('svc/upstream-unavailable', message, {}) }
}

export declare namespace readCondition {
  type World = {
    readonly chain: Pick<ChainCheck, 'recheck'>
    /** The newest block that is known, from whichever node. */
    readonly findHead: () => Head | undefined
  }
}
