import { Errors } from '@agio/core'
import type { Hex } from 'viem'
import { toServiceError } from '../errors/toServiceError.ts'

/**
 * Returns the result of a broadcast. Adds the transaction's hash, and a note that a repetition is safe, to an error of
 * the service or of its nodes. The transaction may already be sent or even mined.
 *
 * @throws the errors of `broadcast`, as a `ServiceError`
 */
export async function withTransactionHash<Result>(hash: Hex, broadcast: () => Promise<Result>): Promise<Result> {
  try {
    return await broadcast()
  } catch (thrown) {
    throw Errors.withTransactionHash(toServiceError(thrown), hash)
  }
}
