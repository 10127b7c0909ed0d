import {
  aboveUnknownLimit,
  amountTooSmall,
  assertQuotable,
  quoteExactIn,
  ServiceError,
  valueAtOracle,
  type Hop,
  type PoolSide,
  type ConversionRoute,
} from '@agio/core'
import { encodeFunctionData, type Hex } from 'viem'
import { poolAbi } from '../abi/index.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import { decodeResult } from '../reader/decodeResult.ts'
import type { Reader } from '../reader/createReader.ts'
import { decodeRevert } from '../revert/decodeRevert.ts'
import { toRevertError } from '../revert/toRevertError.ts'
import type { Snapshot } from '../snapshot/Snapshot.ts'

/**
 * The quote for an exact input over a route that is not priced locally throughout, in raw units of its last token: the views
 * of its pools are called in sequence, at the snapshot's block. Frozen pools and stale prices are refused first, since the
 * views of the DFX family do not check them.
 *
 * @throws what `quoteExactIn` throws, and `svc/reverted` or `svc/upstream-*` from a pool's view; the amounts of
 * `svc/above-max-origin` are in the route's first token, without the limit if that is unknown
 */
export async function quoteOnChain(
  reader: Reader,
  snapshot: Snapshot,
  { route: [first, second], amountInRaw }: quoteOnChain.Request,
): Promise<bigint> {
  const betweenRaw = await quoteHop(reader, snapshot, { ...first, amountInRaw })
  if (!second) return betweenRaw
  return await quoteHop(reader, snapshot, { ...second, amountInRaw: betweenRaw }).catch((error: unknown) => {
    const isLimit = error instanceof ServiceError && error.code === 'svc/above-max-origin'
    const token = snapshot.tokens.get(first.tokenIn)
    throw isLimit && token ? aboveUnknownLimit(token, amountInRaw) : error
  })
}

export declare namespace quoteOnChain {
  type Request = {
    readonly route: ConversionRoute
    /** Raw units of the route's first token. */
    readonly amountInRaw: bigint
  }
}

type Swap = Hop & { readonly amountInRaw: bigint }

async function quoteHop(reader: Reader, { block }: Snapshot, swap: Swap): Promise<bigint> {
  const { pool, tokenIn, tokenOut, amountInRaw } = swap
  if (pool.pricing === 'local') return quoteExactIn(pool, swap, block.timestampSeconds).amountOutRaw
  const sides = assertQuotable(pool, { tokenIn, tokenOut, amountRaw: amountInRaw }, block.timestampSeconds)
  const result = await callView(reader, block.hash, swap)
  if (!result.success) throw toViewError(result.data, sides, amountInRaw)
  const amountOutRaw = decodeResult(result, poolAbi, 'viewOriginSwap')
  // The views of the DFX family return zero where ours revert.
  if (amountOutRaw === 0n) throw amountTooSmall(...sides)
  return amountOutRaw
}

async function callView(reader: Reader, blockHash: Hex, { pool, tokenIn, tokenOut, amountInRaw }: Swap) {
  const args = [tokenIn, tokenOut, amountInRaw] as const
  const data = encodeFunctionData({ abi: poolAbi, functionName: 'viewOriginSwap', args })
  const { results } = await reader.aggregate([{ target: pool.address, data }], blockHash).catch(rethrowUpstream)
  return results[0] ?? { success: false, data: '0x' as const }
}

function toViewError(revertData: Hex, [origin, target]: readonly [PoolSide, PoolSide], amountInRaw: bigint) {
  const conversion = { tokenIn: origin.token, tokenOut: target.token, amountInRaw }
  const failure = toRevertError(decodeRevert(revertData), conversion)
  // Pools of the DFX family overflow without a reason. An amount worth more than the pool's reserve is above its limit.
  const isAboveLimit = hasNoReason(failure) && valueAtOracle(origin, target, amountInRaw) > target.reserve
  return isAboveLimit ? aboveUnknownLimit(origin.token, amountInRaw) : failure
}

/** Whether a contract reverted without a reason, or by an overflow. */
function hasNoReason(failure: ServiceError): boolean {
  if (failure.code !== 'svc/reverted') return false
  const { name, args } = (failure as ServiceError<'svc/reverted'>).details.revert
  return name === 'Revert' || (name === 'Panic' && args[0] === '17')
}
