import { isHex } from 'viem'
import { classifyError } from '../errors/classifyError.ts'
import { findRevertData } from '../errors/findRevertData.ts'
import { OtherBlockError, UnprovenError, type Proven, type ProvenRead } from '../proof/ProvenRead.ts'
import type { NodeLink } from '../transport/NodeLink.ts'
import { requestVerified } from '../transport/requestValidated.ts'
import type { ChainIdVerifier } from './createChainIdVerifier.ts'
import { toHashLink } from './toHashLink.ts'

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
