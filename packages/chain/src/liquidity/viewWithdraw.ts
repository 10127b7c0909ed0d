import { Errors, type Pool, type ServiceError } from '@agio/core'
import { encodeFunctionData } from 'viem'
import { poolAbi } from '../abi/index.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import type { Reader } from '../reader/createReader.ts'
import { type Result, decodeResult } from '../reader/decodeResult.ts'
import { decodeRevert, type Revert } from '../revert/decodeRevert.ts'
import { toRevertError } from '../revert/toRevertError.ts'
import type { Snapshot } from '../snapshot/createSnapshots.ts'

/**
 * Returns the amounts that a withdrawal pays, by the pool's own view at the snapshot's block.
 *
 * Our pools read no oracle for a withdrawal, and pay even while they are frozen. Foreign pools also pay while frozen,
 * but their view reverts. In an emergency their view returns amounts, but they pay only through `emergencyWithdraw`.
 *
 * @throws `svc/pool-frozen` from a foreign pool, and `svc/reverted`
 */
export async function viewWithdraw(
  reader: Reader,
  { block }: Snapshot,
  { pool, lpAmountRaw }: viewWithdraw.Options,
): Promise<PoolAmounts> {
  const data = encodeFunctionData({ abi: poolAbi, functionName: 'viewWithdraw', args: [lpAmountRaw] })
  const calls = [data, ...(pool.frozen ? [isEmergency] : [])].map((call) => ({ target: pool.address, data: call }))
  const { results } = await reader.aggregate(calls, block.hash).catch(rethrowUpstream)
  const [result = { success: false, data: '0x' }, emergency] = results
  if (emergency && isTrue(emergency)) throw inEmergency()
  if (result.success) return toPoolAmounts(decodeResult(result, poolAbi, 'viewWithdraw'))
  const revert = decodeRevert(result.data)
  if (toRevertError(revert).code !== 'svc/pool-frozen') throw toRevertedError('withdraw', revert)
  throw Errors.poolFrozen({ action: 'preview the withdrawal from', reason: 'its view reverts while it is frozen' })
}

export declare namespace viewWithdraw {
  type Options = {
    readonly pool: Pool.Pool
    /** LP tokens, 18 decimals: more than zero, and at most the total supply. */
    readonly lpAmountRaw: bigint
  }
}

const isEmergency = encodeFunctionData({ abi: poolAbi, functionName: 'emergency' })

/** Returns whether a call returned a word other than zero. */
function isTrue({ success, data }: Result): boolean {
  return success && /[1-9a-f]/.test(data.slice(2, 66))
}

function inEmergency(): ServiceError {
  const reason = 'in an emergency, the pool pays only through emergencyWithdraw'
  return Errors.poolFrozen({ action: 'withdraw from', reason })
}

/** Raw units of a pool's two tokens. */
export type PoolAmounts = { readonly baseRaw: bigint; readonly quoteRaw: bigint }

/** Returns the two amounts that a pool returned, by token. @throws `svc/upstream-error` for any other number of amounts */
export function toPoolAmounts(amounts: readonly bigint[]): PoolAmounts {
  const [baseRaw, quoteRaw, ...others] = amounts
  if (baseRaw !== undefined && quoteRaw !== undefined && others.length === 0) return { baseRaw, quoteRaw }
  throw Errors.upstreamError({
    action: "read the pool's amounts",
    reason: `it returns ${amounts.length} instead of two`,
  })
}

/** Returns the error for a pool's revert that has no error code of its own. */
export function toRevertedError(action: 'deposit' | 'withdraw', revert: Revert): ServiceError<'svc/reverted'> {
  return Errors.reverted({ action, contract: 'the pool', revert })
}
