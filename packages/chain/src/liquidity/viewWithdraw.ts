import { ServiceError, type Address } from '@agio/core'
import { encodeFunctionData } from 'viem'
import { poolAbi } from '../abi/index.ts'
import type { Reader } from '../reader/createReader.ts'
import { decodeResult } from '../reader/decodeResult.ts'
import { decodeRevert } from '../revert/decodeRevert.ts'
import { toRevertError } from '../revert/toRevertError.ts'
import type { Snapshot } from '../snapshot/Snapshot.ts'
import { readPoolView, toRevertedError } from './readPoolView.ts'
import { toPoolAmounts, type PoolAmounts } from './toPoolAmounts.ts'

/**
 * The amounts that a withdrawal pays, by the pool's own view at the snapshot's block. Our pools read no oracle for it, and pay
 * while they are frozen too; pools of others pay while frozen, but their view reverts.
 *
 * @throws `svc/pool-frozen` from a pool that is not ours, and `svc/reverted`
 */
export async function viewWithdraw(
  reader: Reader,
  { block }: Snapshot,
  { pool, lpAmountRaw }: viewWithdraw.Request,
): Promise<PoolAmounts> {
  const data = encodeFunctionData({ abi: poolAbi, functionName: 'viewWithdraw', args: [lpAmountRaw] })
  const result = await readPoolView(reader, { pool, data, blockHash: block.hash })
  if (result.success) return toPoolAmounts(decodeResult(result, poolAbi, 'viewWithdraw'))
  const revert = decodeRevert(result.data)
  if (toRevertError(revert).code !== 'svc/pool-frozen') throw toRevertedError('withdraw', revert)
  const message = 'Cannot preview the withdrawal: the pool is frozen, and its view reverts while it is'
  throw new ServiceError('svc/pool-frozen', message, {})
}

export declare namespace viewWithdraw {
  type Request = {
    readonly pool: Address
    /** LP tokens, 18 decimals: more than zero, and at most the total supply. */
    readonly lpAmountRaw: bigint
  }
}
