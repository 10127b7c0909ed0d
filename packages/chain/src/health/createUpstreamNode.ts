import type { Network } from '@agio/core'
import { toHead, type Head } from '../head/Head.ts'
import type { ProvenRead } from '../proof/ProvenRead.ts'
import type { Endpoint, NodeLink } from '../transport/NodeLink.ts'
import { requestValidated, requestVerified } from '../transport/requestValidated.ts'
import { checkNode, toLagging } from './checkNode.ts'
import { createChainIdVerifier } from './createChainIdVerifier.ts'
import { createNodeHealth } from './createNodeHealth.ts'
import { requestProven } from './requestProven.ts'
import type { NodeReport, TimedRequest, UpstreamNode } from './UpstreamNode.ts'

/**
 * Creates one upstream node, which sends requests, counts faults and opens its circuit after too many faults. From then
 * on the node is probed in the background, by its chain id and newest block, until it is healthy.
 *
 * The chain id is verified with the first request over each link, after each fault, and before any transaction is sent.
 * While the node is in use, the chain id is also verified every three seconds, and after a jump of the height. This
 * happens in parallel with reads of the newest block.
 */
export function createUpstreamNode<OwnLink extends NodeLink>(
  settings: createUpstreamNode.Settings<OwnLink>,
): UpstreamNode<OwnLink> {
  const { position, endpoint, chainId, hasSubstitute, findHead, isDoubtful, onState, random } = settings
  const check = () => {
    const provenRead = health.status().state === 'unproven' ? settings.createProbe?.() : undefined
    return endpoint.withLink((link) => checkNode(link, { verifier, findHead, provenRead }))
  }
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
  async function readHead(link: NodeLink): Promise<Head> {
    const request = { method: 'eth_getBlockByNumber', params: ['latest', false] }
    const head = toHead(
      await requestVerified(link, { request, verify: verifier.isDue(link) ? verifier.recheck : verify }),
    )
    if (isDoubtful(head)) await verifier.recheck(link)
    return head
  }
  /**
   * Drops the results that arrive after the node was found to serve another chain, since they may come from that chain.
   */
  async function onOwnChain<Result>(reading: Promise<Result>): Promise<Result> {
    const result = await reading
    const { state, failure } = health.status()
    if (state === 'wrong-chain') throw failure ?? new Error(state)
    return result
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
      return health.observe(timed, onOwnChain(reading))
    },
    async readProven({ read, startedAtMs }) {
      const reading = endpoint.withLink((link) => requestProven(link, read, verifier))
      const value = await health.observe({ request: read.request, startedAtMs }, onOwnChain(reading))
      health.recordProof()
      return value
    },
    readHead(startedAtMs) {
      const reading = endpoint.withLink(readHead)
      return health.observe({ request: { method: 'eth_getBlockByNumber' }, startedAtMs }, onOwnChain(reading))
    },
    send(timed) {
      const sending = withVerifiedLink((link) => requestValidated(link, timed.request))
      return health.observe(timed, sending)
    },
    withLink(work) {
      const { failure } = health.status()
      if (failure && !health.isUsable()) return Promise.reject(failure)
      return health.observe(
        toTimed('eth_subscribe'),
        withVerifiedLink((link) => work(link, () => readHead(link))),
      )
    },
    setLagging() {
      health.set(toLagging())
      endpoint.withLink(async (link) => link.closeWhenIdle?.()).catch(() => {})
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
    readonly chainId: Network.ChainId
    readonly endpoint: Endpoint<OwnLink>
    /** Returns whether another node can be used instead. */
    readonly hasSubstitute: () => boolean
    /** Returns the newest known block, from any node. */
    readonly findHead: () => Head | undefined
    /** Returns whether a block may belong to another chain, since it does not follow the known blocks. */
    readonly isDoubtful: (head: Head) => boolean
    /** Creates the read that an unproven node must answer to become healthy. */
    readonly createProbe?: (() => ProvenRead<unknown>) | undefined
    /** Called after each change of the state. */
    readonly onState: (report: NodeReport) => void
    /** Returns a random number from 0 to 1. */
    readonly random: () => number
  }
}

function toTimed(method: string): TimedRequest {
  return { request: { method }, startedAtMs: performance.now() }
}
