import type { ServiceError } from '@agio/core'
import { toUpstreamError } from '../rpc/toUpstreamError.ts'
import { decodeRevert } from './decodeRevert.ts'
import { findRevertData } from './findRevertData.ts'
import { toRevertError } from './toRevertError.ts'

/**
 * Names what a call of a contract failed with: the contract's revert, or a fault of the node.
 *
 * @param tokens the conversion's tokens, for the decimals of the revert's figures
 */
export function toCallError(error: unknown, tokens: toRevertError.Tokens = {}): ServiceError {
  const revert = findRevertData(error)
  return revert === undefined ? toUpstreamError(error) : toRevertError(decodeRevert(revert), tokens)
}
