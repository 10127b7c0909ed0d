import { Errors, type Address, type ServiceError } from '@agio/core'
import type { Hex } from 'viem'
import type { Reader } from '../reader/createReader.ts'
import type { Result } from '../reader/decodeReaderResult.ts'
import type { Revert } from '../revert/decodeRevert.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'

/** Returns the result or revert of a pool's view at a block, by one call to the node. @throws `svc/upstream-*` */
export async function readPoolView(reader: Reader, { pool, data, blockHash }: readPoolView.Request): Promise<Result> {
  const { results } = await reader.aggregate([{ target: pool, data }], blockHash).catch(rethrowUpstream)
  return results[0] ?? { success: false, data: '0x' }
}

export declare namespace readPoolView {
  type Request = {
    readonly pool: Address
    /** The view's calldata. */
    readonly data: Hex
    readonly blockHash: Hex
  }
}

/** Returns the error for a pool's revert without its own error code. */
export function toRevertedError(action: 'deposit' | 'withdraw', revert: Revert): ServiceError<'svc/reverted'> {
  return Errors.reverted({ action, contract: 'the pool', revert })
}
