import type { ChainId } from '@agio/core'
import type { Head } from '../head/Head.ts'
import type { Endpoint, NodeLink } from '../transport/NodeLink.ts'
import { requestValidated, requestVerified } from '../transport/requestValidated.ts'
import { checkNode } from './checkNode.ts'
import { createChainIdVerifier } from './createChainIdVerifier.ts'
import { createNodeHealth } from './createNodeHealth.ts'
import type { NodeReport, TimedRequest, UpstreamNode } from './UpstreamNode.ts'

/**
 * Creates one upstream node, which sends requests, counts faults and opens its circuit after too many. From then on it is
 * probed in the background, by its chain id and newest block, until it is healthy.
 *
 * The chain id is verified with the first request over each link and after each fault, and before any transaction is sent.
 */
export function createUpstreamNode<OwnLink extends NodeLink>(
  settings: createUpstreamNode.Settings<OwnLink>,
): UpstreamNode<OwnLink> {
  const { position, endpoint, chainId, hasSubstitute, findHead, onState, random } = settings
  const check = () => endpoint.withLink((link) => checkNode(link, { verifier, findHead }))
  const onFault = () => verifier.reset()
  const health = createNodeHealth({ position, check, hasSubstitute, onFault, onState, random })
  const verifier = createChainIdVerifier({
    chainId,
    onWrongChain: (wrong) => health.set({ state: 'wrong-chain', ...wrong }),
  })
  const { verify } = verifier

  function withVerifiedLink<Result>(work: (link: OwnLink) => Promise<Result>): Promise<Result> {
    return endpoint.withLink(async (link) => {
      await verify(link)
      return await work(link)
    })
  }
  function verifyInBackground(): void {
    health.observe(toTimed('eth_chainId'), endpoint.withLink(verify)).catch(() => {})
  }
  verifyInBackground()

  return {
    position,
    state: () => health.status().state,
    failure: () => health.status().failure,
    isUsable: health.isUsable,
    read(timed) {
      const reading = endpoint.withLink((link) => requestVerified(link, { request: timed.request, verify }))
      return health.observe(timed, reading)
    },
    send(timed) {
      const sending = withVerifiedLink((link) => requestValidated(link, timed.request))
      return health.observe(timed, sending)
    },
    withLink(work) {
      const { failure } = health.status()
      if (failure && !health.isUsable()) return Promise.reject(failure)
      return health.observe(toTimed('eth_subscribe'), withVerifiedLink(work))
    },
    resetCircuit() {
      verifier.reset()
      health.reset()
      verifyInBackground()
    },
    stop() {
      health.stop()
      endpoint.stop()
    },
  }
}

export declare namespace createUpstreamNode {
  type Settings<OwnLink extends NodeLink> = {
    /** The node's place in the order of preference, from 1. */
    readonly position: number
    readonly chainId: ChainId
    readonly endpoint: Endpoint<OwnLink>
    /** Whether another node can be used instead. */
    readonly hasSubstitute: () => boolean
    /** The newest known block, from any node. */
    readonly findHead: () => Head | undefined
    /** Called after each change of the state. */
    readonly onState: (report: NodeReport) => void
    /** From 0 to 1. */
    readonly random: () => number
  }
}

function toTimed(method: string): TimedRequest {
  return { request: { method }, startedAtMs: performance.now() }
}
