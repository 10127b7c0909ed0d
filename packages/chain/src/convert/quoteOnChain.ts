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
import { decodeFunctionResult, encodeFunctionData, type Hex } from 'viem'
import { poolAbi } from '../abi/index.ts'
import { toCallError } from '../revert/toCallError.ts'
import { callAtBlock } from '../selection/callAtBlock.ts'
import type { Rpc } from '../selection/createRpc.ts'
import type { Snapshot } from '../snapshot/Snapshot.ts'

/**
 * What a route pays for an exact input where our maths does not fit each of its pools, in raw units of its last token: their
 * views are asked one after the other, at the snapshot's block. What the service itself knows of a pool comes first:
 * that it is frozen, or a price too old to convert at, which the family's views do not look at.
 *
 * @throws what `quoteExactIn` throws, and `svc/reverted` or `svc/upstream-*` from a pool's view; the figures of
 * `svc/above-max-origin` are of the route's first token, without the limit where that is not known
 */
export async function quoteOnChain(
  rpc: Rpc,
  snapshot: Snapshot,
  { route: [first, second], amountInRaw }: quoteOnChain.Request,
): Promise<bigint> {
  const betweenRaw = await quoteHop(rpc, snapshot, { ...first, amountInRaw })
  if (!second) return betweenRaw
  return await quoteHop(rpc, snapshot, { ...second, amountInRaw: betweenRaw }).catch((error: unknown) => {
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

async function quoteHop(rpc: Rpc, { block }: Snapshot, swap: Swap): Promise<bigint> {
  const { pool, tokenIn, tokenOut, amountInRaw } = swap
  if (pool.pricing === 'local') return quoteExactIn(pool, swap, block.timestampSeconds).amountOutRaw
  const sides = assertQuotable(pool, { tokenIn, tokenOut, amountRaw: amountInRaw }, block.timestampSeconds)
  const amountOutRaw = await askView(rpc, block.hash, swap).catch((error: unknown) => {
    throw toViewError(error, sides, amountInRaw)
  })
  // The family's views answer zero where ours refuse.
  if (amountOutRaw === 0n) throw amountTooSmall(...sides)
  return amountOutRaw
}

async function askView(rpc: Rpc, blockHash: Hex, { pool, tokenIn, tokenOut, amountInRaw }: Swap): Promise<bigint> {
  const args = [tokenIn, tokenOut, amountInRaw] as const
  const call = { to: pool.address, data: encodeFunctionData({ abi: poolAbi, functionName: 'viewOriginSwap', args }) }
  const data = await callAtBlock(rpc, [call, { blockHash }])
  return decodeFunctionResult({ abi: poolAbi, functionName: 'viewOriginSwap', data })
}

function toViewError(error: unknown, [origin, target]: readonly [PoolSide, PoolSide], amountInRaw: bigint) {
  const failure = toCallError(error, { tokenIn: origin.token, tokenOut: target.token, amountInRaw })
  // The family's numbers end somewhere, without a word. What is worth more than all that the pool has is too much.
  const isTooMuch = isSilent(failure) && valueAtOracle(origin, target, amountInRaw) > target.reserve
  return isTooMuch ? aboveUnknownLimit(origin.token, amountInRaw) : failure
}

/** Whether a contract broke off without a reason, or by an overflow. */
function isSilent(failure: ServiceError): boolean {
  if (failure.code !== 'svc/reverted') return false
  const { name, args } = (failure as ServiceError<'svc/reverted'>).details.revert
  return name === 'Revert' || (name === 'Panic' && args[0] === '17')
}
