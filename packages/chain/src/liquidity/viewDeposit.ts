import { ServiceError, type Address } from '@agio/core'
import { encodeFunctionData } from 'viem'
import { poolAbi } from '../abi/index.ts'
import type { Reader } from '../reader/createReader.ts'
import { decodeResult } from '../reader/decodeResult.ts'
import { decodeRevert, type Revert } from '../revert/decodeRevert.ts'
import { toRevertError } from '../revert/toRevertError.ts'
import type { Snapshot } from '../snapshot/Snapshot.ts'
import { readPoolView, toRevertedError } from './readPoolView.ts'
import { toPoolAmounts, type PoolAmounts } from './toPoolAmounts.ts'

/**
 * The terms of a deposit, by the pool's own view at the snapshot's block: pools of the DFX family price LP tokens differently.
 *
 * @throws `svc/pool-frozen`, `svc/amount-too-small` if it mints no LP tokens, `svc/stale-price` from a pool that reads its
 * oracles for a deposit (ours do for the first deposit only), and `svc/reverted`
 */
export async function viewDeposit(
  reader: Reader,
  { block }: Snapshot,
  { pool, valueRaw }: viewDeposit.Request,
): Promise<DepositTerms> {
  const data = encodeFunctionData({ abi: poolAbi, functionName: 'viewDeposit', args: [valueRaw] })
  const result = await readPoolView(reader, { pool, data, blockHash: block.hash })
  if (!result.success) throw toDepositError(decodeRevert(result.data))
  const [lpAmountRaw, amounts] = decodeResult(result, poolAbi, 'viewDeposit')
  return { lpAmountRaw, ...toPoolAmounts(amounts) }
}

export declare namespace viewDeposit {
  type Request = {
    readonly pool: Address
    /** Dollars, 18 decimals. */
    readonly valueRaw: bigint
  }
}

/** The amounts of a deposit, and the LP tokens that it buys. */
export type DepositTerms = PoolAmounts & {
  /** LP tokens, 18 decimals. */
  readonly lpAmountRaw: bigint
}

function toDepositError(revert: Revert): ServiceError {
  const named = toRevertError(revert)
  switch (named.code) {
    case 'svc/pool-frozen':
      return new ServiceError('svc/pool-frozen', 'Cannot deposit: the pool is frozen by its owner', {})
    case 'svc/amount-too-small':
      return new ServiceError('svc/amount-too-small', 'Cannot deposit: the amount is too small to mint LP tokens', {})
    case 'svc/stale-price':
      return named
    default:
      return toRevertedError('deposit', revert)
  }
}
