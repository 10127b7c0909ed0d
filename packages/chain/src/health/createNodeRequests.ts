import { toHead, type Head } from '../head/Head.ts'
import type { ProvenRead } from '../proof/ProvenRead.ts'
import type { Endpoint, NodeLink, RpcRequest } from '../transport/NodeLink.ts'
import { requestValidated, requestVerified } from '../transport/requestValidated.ts'
import type { ChainIdVerifier } from './createChainIdVerifier.ts'
import { requestProven } from './requestProven.ts'
import { toHashLink } from './toHashLink.ts'
import type { UpstreamNode } from './UpstreamNode.ts'

/** The request for the newest block of a node. */
export const newestBlock: RpcRequest = { method: 'eth_getBlockByNumber', params: ['latest', false] }

/** Creates functions that send requests to a node over links with a verified chain id. They ignore the node's health. */
export function createNodeRequests<Link extends NodeLink>({
  endpoint,
  verifier,
  mayBeOtherChain,
}: createNodeRequests.Dependencies<Link>): NodeRequests<Link> {
  const { verify, recheck, isDue } = verifier

  function withVerifiedLink<Result>(work: (link: Link) => Promise<Result>): Promise<Result> {
    return endpoint.withLink(async (link) => {
      await verify(link)
      return await work(link)
    })
  }
  async function readHead(link: NodeLink): Promise<Head> {
    const head = toHead(await requestVerified(link, { request: newestBlock, verify: isDue(link) ? recheck : verify }))
    if (mayBeOtherChain(head)) await recheck(link)
    return head
  }
  return {
    read: (request) =>
      endpoint.withLink((link) => requestVerified(toHashLink(link), { request, verify: () => verify(link) })),
    readProven: (read) => endpoint.withLink((link) => requestProven(link, read, verifier)),
    readHead: () => endpoint.withLink(readHead),
    send: (request) => withVerifiedLink((link) => requestValidated(link, request)),
    withLink: (work) => withVerifiedLink((link) => work(link, () => readHead(link))),
  }
}

export declare namespace createNodeRequests {
  type Dependencies<Link extends NodeLink> = {
    readonly endpoint: Endpoint<Link>
    readonly verifier: ChainIdVerifier
    /** Returns whether a block may belong to another chain, since it does not follow the known blocks. */
    readonly mayBeOtherChain: (head: Head) => boolean
  }
}

/** The requests of an `UpstreamNode`, without the parameter `startedAtMs`. */
export type NodeRequests<Link extends NodeLink> = Pick<UpstreamNode<Link>, 'withLink'> & {
  read(request: RpcRequest): Promise<unknown>
  readProven<Value>(read: ProvenRead<Value>): Promise<Value>
  /** Verifies the chain again at intervals, and if the block does not follow the known blocks. */
  readHead(): Promise<Head>
  /** Verifies the chain before the request is sent. */
  send(request: RpcRequest): Promise<unknown>
}
