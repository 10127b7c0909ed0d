import { Errors } from '@agio/core'
import { toUpstreamError } from '../errors/toUpstreamError.ts'
import { toHead, type Head } from '../head/Head.ts'
import { UnprovenError, type ProvenRead } from '../proof/ProvenRead.ts'
import type { NodeLink } from '../transport/NodeLink.ts'
import { requestVerified } from '../transport/requestValidated.ts'
import type { ChainIdVerifier } from './createChainIdVerifier.ts'
import { newestBlock } from './createNodeRequests.ts'
import { requestProven } from './requestProven.ts'
import type { NodeStatus } from './UpstreamNode.ts'

// This is 7 blocks of a chain with a block every two seconds, and 60 blocks of a chain with four blocks per second.
const maxLagSeconds = 15n

/**
 * Checks a node's chain id and newest block. The node is lagging if its newest block is more than 15 s older than the
 * newest known block, by block time. It is unproven if it answers the given proven read with a result that the called
 * code cannot return. Otherwise it is healthy.
 *
 * @throws the errors of a failed request, `svc/upstream-error` for another chain
 */
export async function checkNode(link: NodeLink, dependencies: checkNode.Dependencies): Promise<NodeStatus> {
  const { verifier, findHead } = dependencies
  const head = toHead(await requestVerified(link, { request: newestBlock, verify: verifier.recheck }))
  if (isLagging(head, findHead())) return toLagging()
  return (await findUnproven(link, dependencies)) ?? { state: 'healthy' }
}

export declare namespace checkNode {
  type Dependencies = {
    readonly verifier: ChainIdVerifier
    /** Returns the newest known block, from any node. */
    readonly findHead: () => Head | undefined
    /** The read that the node must answer. */
    readonly provenRead: ProvenRead<unknown> | undefined
  }
}

/** Returns whether a node's newest block is more than 15 s older than the newest known block, by block time. */
export function isLagging({ timestampSeconds }: Head, newest: Head | undefined): boolean {
  return newest !== undefined && newest.timestampSeconds - timestampSeconds > maxLagSeconds
}

/** Returns the status of a node that lags. */
export function toLagging(): NodeStatus {
  const failure = Errors.upstreamUnavailable({ action: 'read the chain', reason: 'its node lags behind' })
  return { state: 'lagging', failure }
}

async function findUnproven(
  link: NodeLink,
  { verifier, provenRead }: checkNode.Dependencies,
): Promise<NodeStatus | undefined> {
  try {
    if (provenRead) await requestProven(link, provenRead, verifier)
    return undefined
  } catch (error) {
    if (!(error instanceof UnprovenError)) throw error
    return { state: 'unproven', failure: toUpstreamError(error) }
  }
}
