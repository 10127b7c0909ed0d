import { Errors } from '@agio/core'
import type { Hex } from 'viem'
import { toServiceError } from '../errors/toServiceError.ts'

/**
 * Returns the result of a broadcast. An error of the service or of its nodes gets the transaction's hash and a note that a
 * repetition is safe: the transaction may be sent by then, even mined.
 *
 * @throws what `broadcast` throws, as a `ServiceError`
 */
export async function withTransactionHash<Result>(hash: Hex, broadcast: () => Promise<Result>): Promise<Result> {
  try {
    return await broadcast()
  } catch (thrown) {
    throw Errors.withTransactionHash(toServiceError(thrown), hash)
  }
}
