import { Errors, type Network } from '@agio/core'
import type { NodeLink } from '../transport/NodeLink.ts'
import { checkNode, toLagging } from './checkNode.ts'
import { createChainIdVerifier } from './createChainIdVerifier.ts'
import { createNodeHealth, type NodeHealth } from './createNodeHealth.ts'
import { createNodeRequests, newestBlock } from './createNodeRequests.ts'
import type { TimedRequest, UpstreamNode } from './UpstreamNode.ts'

/**
 * Creates one upstream node, which sends requests, counts faults and opens its circuit after too many faults. From then
 * on the node is probed in the background, by its chain id and newest block, until it is healthy.
 *
 * The chain id is verified with the first request over each link, after each fault, and before any transaction is sent.
 * While the node is in use, the chain id is also verified every three seconds, and after a jump of the height. This
 * happens in parallel with reads of the newest block.
 */
export function createUpstreamNode<Link extends NodeLink>(
  dependencies: createUpstreamNode.Dependencies<Link>,
): UpstreamNode<Link> {
  const { position, endpoint } = dependencies
  const check = () => {
    const createProbe = health.mustProve() ? dependencies.createProbe : undefined
    return endpoint.withLink((link) => checkNode(link, { ...dependencies, verifier, createProbe }))
  }
  const health = createNodeHealth({ ...dependencies, check, onFault: () => verifier.reset() })
  const verifier = createChainIdVerifier({
    chainId: dependencies.chainId,
    isInUse: dependencies.isInUse ?? (() => true),
    onWrongChain: (wrong) => health.set({ state: 'wrong-chain', ...wrong }),
  })
  const requests = createNodeRequests({ ...dependencies, verifier })

  /** Rejects if the node was found to serve another chain, because the result may come from that chain. */
  async function rejectWrongChain<Result>(reading: Promise<Result>): Promise<Result> {
    const result = await reading
    const { state, failure } = health.status()
    if (state === 'wrong-chain') throw failure ?? new Error(state)
    return result
  }
  function endSubscription(): void {
    endpoint.withLink(async (link) => link.closeWhenIdle?.()).catch(() => {})
  }
  function verifyInBackground(): void {
    health.observe(toTimed('eth_chainId'), endpoint.withLink(verifier.verify)).catch(() => {})
  }
  verifyInBackground()

  return {
    position,
    state: () => health.status().state,
    failure: () => health.status().failure,
    isUsable: health.isUsable,
    read: (timed) => health.observe(timed, rejectWrongChain(requests.read(timed.request))),
    async readProven({ read, startedAtMs }) {
      const reading = rejectWrongChain(requests.readProven(read))
      const value = await health.observe({ request: read.request, startedAtMs }, reading)
      health.recordProven('result')
      return value
    },
    readHead: (startedAtMs) =>
      health.observe({ request: newestBlock, startedAtMs }, rejectWrongChain(requests.readHead())),
    send: (timed) => health.observe(timed, requests.send(timed.request)),
    withLink(work) {
      const { failure } = health.status()
      if (failure && !health.isUsable()) return Promise.reject(failure)
      const subscribing = requests.withLink((link, readHead) => work(observeFault(health, link), readHead))
      return health.observe(toTimed('eth_subscribe'), subscribing)
    },
    recordOvertaken: health.recordOvertaken,
    recordHead({ doubt, startedAtMs }) {
      if (!doubt) return health.recordProven('head')
      const failure = Errors.upstreamError({ action: 'read the chain', reason: headDoubts[doubt] })
      health.recordUnproven('head', failure, { startedAtMs, weight: doubt === 'chain' ? chainWeight : 1 })
      if (health.status().state === 'unproven') endSubscription()
    },
    setLagging() {
      health.set(toLagging())
      endSubscription()
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
  type Dependencies<Link extends NodeLink> = Omit<checkNode.Dependencies, 'verifier' | 'createProbe'> &
    Omit<createNodeHealth.Dependencies, 'check' | 'onFault'> &
    Pick<createNodeRequests.Dependencies<Link>, 'endpoint' | 'mayBeOtherChain'> & {
      readonly chainId: Network.ChainId
      /** Returns whether the chain is in use; always by default. */
      readonly isInUse?: (() => boolean) | undefined
      /** Creates the read that an unproven node must answer to become healthy, at the newest block of the node. */
      readonly createProbe?: checkNode.Dependencies['createProbe']
    }
}

// Two other nodes contradict the head, so one head is enough.
const chainWeight = 5

const headDoubts = {
  state: 'its node announces blocks that no node can read',
  chain: 'no other node confirms the newest block of its node',
} as const

/** Returns a link whose fault counts, even if no request waits when it ends the link. */
function observeFault<Link extends NodeLink>(health: NodeHealth, link: Link): Link {
  link.fault?.then((error) => health.observe(toTimed('eth_subscription'), Promise.reject(error))).catch(() => {})
  return link
}

function toTimed(method: string): TimedRequest {
  return { request: { method }, startedAtMs: performance.now() }
}
