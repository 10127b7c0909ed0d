import { Errors } from '@agio/core'
import { numberToHex, type Hex } from 'viem'
import { classifyError } from '../errors/classifyError.ts'
import { toUpstreamError } from '../errors/toUpstreamError.ts'
import { isSameHead, toHead, type Head } from '../head/Head.ts'
import { UnprovenError, type ProvenRead } from '../proof/ProvenRead.ts'
import type { NodeLink } from '../transport/NodeLink.ts'
import { requestVerified } from '../transport/requestValidated.ts'
import type { ChainIdVerifier } from './createChainIdVerifier.ts'
import { newestBlock, requestProven } from './createNodeRequests.ts'
import type { NodeStatus } from './UpstreamNode.ts'

/**
 * How much older than the newest block of another node the newest block of a node may be. This is 7 blocks of a chain with a
 * block every two seconds, and 60 blocks of a chain with four blocks per second.
 */
export const maxLagSeconds = 15

/**
 * Checks a node's chain id and newest block. The node is lagging if its newest block is before the newest known block,
 * and more than 15 s older. If a probe is given, the node is unproven if it answers the probe with a result that the
 * called code cannot return, does not have its own newest block, or does not have the newest known block on its chain.
 * Otherwise it is healthy.
 *
 * @throws the errors of a failed request, `svc/upstream-error` for another chain
 */
export async function checkNode(link: NodeLink, dependencies: checkNode.Dependencies): Promise<NodeStatus> {
  const { verifier, findHead, wallMs = Date.now } = dependencies
  const head = toHead(await requestVerified(link, { request: newestBlock, verify: verifier.recheck }))
  const newest = findHead()
  if (newest && isLagging(head, newest, wallMs())) return toLagging()
  return (await findUnproven(link, head, dependencies)) ?? { state: 'healthy' }
}

export declare namespace checkNode {
  type Dependencies = {
    readonly verifier: ChainIdVerifier
    /** Returns the newest known block, from any node. */
    readonly findHead: () => Head | undefined
    /** Returns whether a block is the newest known block or an ancestor of it. */
    readonly isLinked: (block: Pick<Head, 'number' | 'hash'>) => boolean
    /** Creates the read at the node's newest block that the node must answer; undefined for no such read. */
    readonly createProbe: ((hash: Hex) => ProvenRead<unknown>) | undefined
    /** The wall clock, in milliseconds; the clock of the system by default. */
    readonly wallMs?: (() => number) | undefined
  }
}

/**
 * Returns whether a node's newest block is before a newer block, and more than 15 s older. A newer block ahead of the wall clock
 * counts with the time of that clock. Otherwise a node whose blocks are ahead would make all other nodes lag.
 */
export function isLagging(head: Head, newest: Head, wallMs: number): boolean {
  const newestSeconds = Math.min(Number(newest.timestampSeconds), Math.floor(wallMs / 1000))
  return head.number < newest.number && newestSeconds - Number(head.timestampSeconds) > maxLagSeconds
}

/** Returns the status of a node that lags. */
export function toLagging(): NodeStatus {
  const failure = Errors.upstreamUnavailable({ action: 'read the chain', reason: 'its node lags behind' })
  return { state: 'lagging', failure }
}

/** Returns whether a node has the newest known block on its chain, by its own newest block. */
async function follows(link: NodeLink, head: Head, { newest, isLinked, verify }: KnownBlock): Promise<boolean> {
  if (head.number <= newest.number) return head.number === newest.number ? isSameHead(head, newest) : isLinked(head)
  const request = { method: 'eth_getBlockByNumber', params: [numberToHex(newest.number), false] }
  return isSameHead(toHead(await requestVerified(link, { request, verify })), newest)
}

type KnownBlock = Pick<checkNode.Dependencies, 'isLinked'> & {
  readonly newest: Head
  readonly verify: ChainIdVerifier['verify']
}

async function findUnproven(
  link: NodeLink,
  head: Head,
  { verifier, createProbe, findHead, isLinked }: checkNode.Dependencies,
): Promise<NodeStatus | undefined> {
  if (!createProbe) return undefined
  const newest = findHead()
  if (newest && !(await follows(link, head, { newest, isLinked, verify: verifier.verify }))) {
    const reason = 'its node follows another chain than other nodes'
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
