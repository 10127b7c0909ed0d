import type { ServiceError } from '@agio/core'
import { toUpstreamError } from '../errors/toUpstreamError.ts'
import { decodeRevert } from './decodeRevert.ts'
import { findRevertData } from '../errors/findRevertData.ts'
import { toRevertError } from './toRevertError.ts'

/**
 * Names what a call of a contract failed with: the contract's revert, or a fault of the node.
 *
 * @param conversion what was tried, for the revert's figures
 */
export function toCallError(error: unknown, conversion: toRevertError.Conversion = {}): ServiceError {
  const revert = findRevertData(error)
  return revert === undefined ? toUpstreamError(error) : toRevertError(decodeRevert(revert), conversion)
}
