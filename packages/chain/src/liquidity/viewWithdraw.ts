import { ServiceError, type Address } from '@agio/core'
import { encodeFunctionData } from 'viem'
import { poolAbi } from '../abi/index.ts'
import type { Reader } from '../reader/createReader.ts'
import { decodeResult } from '../reader/decodeResult.ts'
import { decodeRevert } from '../revert/decodeRevert.ts'
import { toRevertError } from '../revert/toRevertError.ts'
import type { Snapshot } from '../snapshot/Snapshot.ts'
import { readView } from './readView.ts'
import { toPoolAmounts, type PoolAmounts } from './toPoolAmounts.ts'
import { toReverted } from './toReverted.ts'

/**
 * What LP tokens are paid when they are withdrawn, by the pool's own view at the snapshot's block. Our pools read no oracle
 * for it, and pay while they are frozen too; those of others pay, but do not tell.
 *
 * @throws `svc/pool-frozen` from a pool that is not ours, and `svc/reverted`
 */
export async function viewWithdraw(
  reader: Reader,
  { block }: Snapshot,
  { pool, lpAmountRaw }: viewWithdraw.Request,
): Promise<PoolAmounts> {
  const data = encodeFunctionData({ abi: poolAbi, functionName: 'viewWithdraw', args: [lpAmountRaw] })
  const result = await readView(reader, { pool, data, blockHash: block.hash })
  if (result.success) return toPoolAmounts(decodeResult(result, poolAbi, 'viewWithdraw'))
  const revert = decodeRevert(result.data)
  if (toRevertError(revert).code !== 'svc/pool-frozen') throw toReverted('withdraw', revert)
  const message = 'Cannot tell what a withdrawal pays: the pool is frozen, and pays without telling'
  throw new ServiceError('svc/pool-frozen', message, {})
}

export declare namespace viewWithdraw {
  type Request = {
    readonly pool: Address
    /** LP tokens, 18 decimals: more than none, and no more than there are. */
    readonly lpAmountRaw: bigint
  }
}
