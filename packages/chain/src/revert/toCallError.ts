import type { ServiceError } from '@agio/core'
import { toUpstreamError } from '../errors/toUpstreamError.ts'
import { decodeRevert } from './decodeRevert.ts'
import { findRevertData } from '../errors/findRevertData.ts'
import { toRevertError } from './toRevertError.ts'

/**
 * Converts the error of a contract call: a revert by `toRevertError`, any other error by `toUpstreamError`.
 *
 * @param conversion the conversion of the call, for the revert's amounts
 */
export function toCallError(error: unknown, conversion: toRevertError.Conversion = {}): ServiceError {
  const revert = findRevertData(error)
  return revert === undefined ? toUpstreamError(error) : toRevertError(decodeRevert(revert), conversion)
}
