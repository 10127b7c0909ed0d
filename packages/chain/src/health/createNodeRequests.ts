import { isHex } from 'viem'
import { classifyError } from '../errors/classifyError.ts'
import { findRevertData } from '../errors/findRevertData.ts'
import { toHead, type Head } from '../head/Head.ts'
import { OtherBlockError, UnprovenError, type Proven, type ProvenRead } from '../proof/ProvenRead.ts'
import type { Endpoint, NodeLink, RpcRequest } from '../transport/NodeLink.ts'
import { requestValidated, requestVerified } from '../transport/requestValidated.ts'
import type { ChainIdVerifier } from './createChainIdVerifier.ts'
import { toHashLink } from './toHashLink.ts'

/** The request for the newest block of a node. */
export const newestBlock: RpcRequest = { method: 'eth_getBlockByNumber', params: ['latest', false] }

/** Creates functions that send requests to a node over links with a verified chain id. They ignore the node's health. */
export function createNodeRequests<Link extends NodeLink>({
  endpoint,
  verifier,
  mayBeOtherChain,
}: createNodeRequests.Dependencies<Link>) {
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
    read: (request: RpcRequest) =>
      endpoint.withLink((link) => requestVerified(toHashLink(link), { request, verify: () => verify(link) })),
    readProven: <Value>(read: ProvenRead<Value>) => endpoint.withLink((link) => requestProven(link, read, verifier)),
    /** Verifies the chain again at intervals, and if the block does not follow the known blocks. */
    readHead: () => endpoint.withLink(readHead),
    /** Verifies the chain before the request is sent. */
    send: (request: RpcRequest) => withVerifiedLink((link) => requestValidated(link, request)),
    withLink: <Result>(work: (link: Link, readHead: () => Promise<Head>) => Promise<Result>) =>
      withVerifiedLink((link) => work(link, () => readHead(link))),
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

/**
 * Returns the value of a proven read from a node that serves our chain. The result proves the chain. If the called code
 * is known to give no proof, the chain id is requested in parallel.
 *
 * @throws `UnprovenError` for a result or an error that the called code cannot return, `OtherBlockError` for the state of
 * another block, `svc/upstream-error` for another chain, and the errors of the link
 */
export async function requestProven<Value>(
  link: NodeLink,
  read: ProvenRead<Value>,
  verifier: ChainIdVerifier,
): Promise<Value> {
  const verify = () => (read.lacksProof ? verifier.recheck(link) : verifier.verify(link))
  const requesting = requestVerified(toHashLink(link), { request: read.request, verify })
  const result = await requesting.catch((error: unknown) => {
    throw isUseless(error, read) ? new UnprovenError(error) : error
  })
  const { chainId, value } = decode(result, read, verifier)
  if (chainId !== undefined) verifier.confirm(link, chainId)
  // The first result without a proof shows that the code gives no proof. Later reads request the chain id in parallel.
  else if (!read.lacksProof) await verifier.recheck(link)
  return value
}

/**
 * Returns whether a node answers with an error that the called code cannot cause, and that is not about a missing
 * block.
 */
function isUseless(error: unknown, { canFail }: ProvenRead<unknown>): boolean {
  const { isAnswer, lacksState } = classifyError(error, 'eth_call')
  return isAnswer && !lacksState && (!canFail || findRevertData(error) !== undefined)
}

function decode<Value>(result: unknown, read: ProvenRead<Value>, node: ChainIdVerifier): Proven<Value> {
  try {
    if (!isHex(result)) throw new Error('the node returns no bytes')
    return read.decode(result, node)
  } catch (error) {
    throw error instanceof OtherBlockError ? error : new UnprovenError(error)
  }
}
