import { Errors } from '@agio/core'
import type { Hex } from 'viem'
import { classifyError } from '../errors/classifyError.ts'
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

/** The time by which a block may be ahead of the blocks of other nodes, or of the wall clock. */
export const maxAheadSeconds = 60n

/**
 * Checks a node's chain id and newest block. The node is lagging if its newest block is more than 15 s older than the
 * newest known block, by block time. If a probe is given, the node is unproven if it answers the
 * probe with a result that the called code cannot return, does not have its own newest block, or is more than a minute
 * ahead of the newest known block. Otherwise it is healthy.
 *
 * @throws the errors of a failed request, `svc/upstream-error` for another chain
 */
export async function checkNode(link: NodeLink, dependencies: checkNode.Dependencies): Promise<NodeStatus> {
  const { verifier, findHead } = dependencies
  const head = toHead(await requestVerified(link, { request: newestBlock, verify: verifier.recheck }))
  if (isLagging(head, findHead())) return toLagging()
  return (await findUnproven(link, head, dependencies)) ?? { state: 'healthy' }
}

export declare namespace checkNode {
  type Dependencies = {
    readonly verifier: ChainIdVerifier
    /** Returns the newest known block, from any node. */
    readonly findHead: () => Head | undefined
    /** Creates the read at the node's newest block that the node must answer; undefined for no such read. */
    readonly createProbe: ((hash: Hex) => ProvenRead<unknown>) | undefined
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
  head: Head,
  { verifier, createProbe, findHead }: checkNode.Dependencies,
): Promise<NodeStatus | undefined> {
  if (!createProbe) return undefined
  const newest = findHead()
  if (newest && head.timestampSeconds - newest.timestampSeconds > maxAheadSeconds) {
    const reason = 'the newest block of its node is far ahead of the blocks of other nodes'
    return { state: 'unproven', failure: Errors.upstreamError({ action: 'read the chain', reason }) }
  }
  try {
    await requestProven(link, createProbe(head.hash), verifier)
    return undefined
  } catch (error) {
    const isUnproven = error instanceof UnprovenError || classifyError(error, 'eth_call').lacksState
    if (!isUnproven) throw error
    return { state: 'unproven', failure: toUpstreamError(error) }
  }
}
