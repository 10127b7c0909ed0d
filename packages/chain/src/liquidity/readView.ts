import type { Address } from '@agio/core'
import type { Hex } from 'viem'
import type { Reader, Result } from '../reader/createReader.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'

/** What one of a pool's views answers at a block, or reverts with: one call to the node. @throws `svc/upstream-*` */
export async function readView(reader: Reader, { pool, data, blockHash }: readView.Request): Promise<Result> {
  const { results } = await reader.aggregate([{ target: pool, data }], blockHash).catch(rethrowUpstream)
  return results[0] ?? { success: false, data: '0x' }
}

export declare namespace readView {
  type Request = {
    readonly pool: Address
    /** The view's calldata. */
    readonly data: Hex
    readonly blockHash: Hex
  }
}
