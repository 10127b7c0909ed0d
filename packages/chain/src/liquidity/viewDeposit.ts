import { Errors } from '@agio/core'
import { encodeFunctionData } from 'viem'
import { poolAbi } from '../abi/index.ts'
import type { Reader } from '../reader/createReader.ts'
import { decodeResult } from '../reader/decodeResult.ts'
import { decodeRevert } from '../revert/decodeRevert.ts'
import type { Rpc } from '../selection/createRpc.ts'
import type { Snapshot } from '../snapshot/Snapshot.ts'
import { findDepositRefusal } from './findDepositRefusal.ts'
import { readPoolView } from './readPoolView.ts'
import { toDepositError } from './toDepositError.ts'
import { toPoolAmounts, type PoolAmounts } from './toPoolAmounts.ts'

/**
 * Returns the terms of a deposit, by the pool's own view at the snapshot's block. Pools of the DFX family price LP
 * tokens differently. Their views return terms even for deposits that the pool refuses, so the deposit is also
 * simulated.
 *
 * @throws `svc/pool-frozen`, also in an emergency; `svc/above-max-origin` for a pool's cap, `svc/amount-too-small` if
 * the deposit mints no LP tokens or takes nothing of one token, `svc/stale-price` from a pool that reads its oracles
 * for a deposit (our pools do so only for the first deposit), and `svc/reverted`
 */
export async function viewDeposit(
  { reader, rpc }: viewDeposit.Tools,
  { block }: Snapshot,
  request: viewDeposit.Request,
): Promise<DepositTerms> {
  const { pool, valueRaw } = request
  if (pool.frozen) throw Errors.poolFrozen({ action: 'deposit into' })
  const data = encodeFunctionData({ abi: poolAbi, functionName: 'viewDeposit', args: [valueRaw] })
  const isOurs = pool.pricing === 'local'
  const [result, refusal] = await Promise.all([
    readPoolView(reader, { pool: pool.address, data, blockHash: block.hash }),
    isOurs ? undefined : findDepositRefusal(rpc, request, block.hash),
  ])
  if (!result.success) throw toDepositError(decodeRevert(result.data), valueRaw)
  if (refusal) throw refusal
  const [lpAmountRaw, amounts] = decodeResult(result, poolAbi, 'viewDeposit')
  const terms = { lpAmountRaw, ...toPoolAmounts(amounts) }
  return isOurs ? terms : assertTakesBoth(terms)
}

export declare namespace viewDeposit {
  type Tools = { readonly reader: Reader; readonly rpc: Pick<Rpc, 'client'> }
  type Request = findDepositRefusal.Request
}

/** The amounts of a deposit, and the LP tokens that it buys. */
export type DepositTerms = PoolAmounts & {
  /** LP tokens, 18 decimals. */
  readonly lpAmountRaw: bigint
}

/** Asserts that a deposit takes both tokens, as pools of the DFX family require. @throws `svc/amount-too-small` */
function assertTakesBoth(terms: DepositTerms): DepositTerms {
  if (terms.baseRaw > 0n && terms.quoteRaw > 0n) return terms
  throw Errors.amountTooSmall({ action: 'deposit', reason: 'the amount is too small to take both tokens' })
}
