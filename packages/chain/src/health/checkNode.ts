import { ServiceError } from '@agio/core'
import { toHead, type Head } from '../head/Head.ts'
import type { NodeLink } from '../transport/NodeLink.ts'
import { requestVerified } from '../transport/requestValidated.ts'
import type { ChainIdVerifier } from './createChainIdVerifier.ts'
import type { NodeStatus } from './UpstreamNode.ts'

// Some blocks of a chain that has one in two seconds, many of one that has four a second.
const maxLagSeconds = 15n

/**
 * Checks a node's chain id and newest block: it is healthy, or lagging if that block is more than 15 s of the chain's time
 * older than the newest known one.
 *
 * @throws what a failed request throws, `svc/upstream-error` for another chain
 */
export async function checkNode(link: NodeLink, { verifier, findHead }: checkNode.Tools): Promise<NodeStatus> {
  const request = { method: 'eth_getBlockByNumber', params: ['latest', false] }
  const { timestampSeconds } = toHead(await requestVerified(link, { request, verify: verifier.reverify }))
  const newest = findHead()
  if (!newest || newest.timestampSeconds - timestampSeconds <= maxLagSeconds) return { state: 'healthy' }
  const message = 'Cannot read the chain: its node lags behind'
  return { state: 'lagging', failure: new ServiceError('svc/upstream-unavailable', message, {}) }
}

export declare namespace checkNode {
  type Tools = {
    readonly verifier: Pick<ChainIdVerifier, 'reverify'>
    /** The newest known block, from any node. */
    readonly findHead: () => Head | undefined
  }
}
