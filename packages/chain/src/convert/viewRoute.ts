import {
  aboveUnknownLimit,
  amountTooSmall,
  assertQuotable,
  quoteExactIn,
  ServiceError,
  sidesOf,
  valueAtOracle,
  type ConversionRoute,
  type Hop,
  type PoolSide,
} from '@agio/core'
import { encodeFunctionData, type Hex } from 'viem'
import { poolAbi } from '../abi/index.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'
import type { Head } from '../head/Head.ts'
import { decodeResult } from '../reader/decodeResult.ts'
import type { Call, Reader, Result } from '../reader/createReader.ts'
import { readEach } from '../reader/readEach.ts'
import { decodeRevert } from '../revert/decodeRevert.ts'
import { toRevertError } from '../revert/toRevertError.ts'

/** What a route pays for an input: raw units of its last token, at least one, or the refusal. */
export type Outcome = bigint | ServiceError

/**
 * The outputs of a route for many inputs at one block, in their order. A pool priced on chain costs one call, and no two calls
 * run at once: the second pool takes the outputs of the first. Frozen pools and stale prices are refused first, since the views
 * of the DFX family do not check them.
 *
 * @throws `svc/pool-frozen` and `svc/stale-price`, which no input avoids, and `svc/upstream-*`
 */
export async function viewRoute(reader: Reader, block: Head, request: viewRoute.Request): Promise<readonly Outcome[]> {
  const [first, second] = request.route
  const betweens = await viewHop(reader, block, { ...first, amountsInRaw: request.amountsInRaw })
  if (!second) return betweens
  // Inputs that differ by less than a unit of the token between have the same output.
  const amountsInRaw = [...new Set(betweens.filter((between) => typeof between === 'bigint'))]
  if (amountsInRaw.length === 0) return betweens
  const paid = await viewHop(reader, block, { ...second, amountsInRaw })
  const outcomes = new Map(amountsInRaw.map((amountRaw, index) => [amountRaw, paid[index]]))
  const [{ token }] = sidesOf(first.pool, first.tokenIn, first.tokenOut)
  return betweens.map((between, index) => {
    if (typeof between !== 'bigint') return between
    const outcome = outcomes.get(between) ?? noResult()
    return isLimit(outcome) ? aboveUnknownLimit(token, request.amountsInRaw[index] ?? 0n) : outcome
  })
}

export declare namespace viewRoute {
  type Request = {
    readonly route: ConversionRoute
    /** Raw units of the route's first token. */
    readonly amountsInRaw: readonly bigint[]
  }
}

/** Whether an outcome is a refusal of an input that is too large. */
export function isLimit(outcome: Outcome): boolean {
  return outcome instanceof ServiceError && outcome.code === 'svc/above-max-origin'
}

type Swaps = Hop & { readonly amountsInRaw: readonly bigint[] }

async function viewHop(reader: Reader, block: Head, swaps: Swaps): Promise<readonly Outcome[]> {
  const { pool, tokenIn, tokenOut, amountsInRaw } = swaps
  const sides = assertQuotable(pool, { tokenIn, tokenOut, amountRaw: 1n }, block.timestampSeconds)
  if (pool.pricing === 'local') {
    return amountsInRaw.map((amountInRaw) => quoteLocally({ ...swaps, amountInRaw }, block.timestampSeconds))
  }
  const results = await callViews(reader, block.hash, swaps)
  return results.map((result, index) => toOutcome(result, sides, amountsInRaw[index] ?? 0n))
}

function quoteLocally(swap: Hop & { readonly amountInRaw: bigint }, nowSeconds: bigint): Outcome {
  try {
    return quoteExactIn(swap.pool, swap, nowSeconds).amountOutRaw
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}

/** The result of the view for each amount; undefined where it needs more gas than the node grants. */
async function callViews(reader: Reader, blockHash: Hex, { pool, tokenIn, tokenOut, amountsInRaw }: Swaps) {
  const calls = amountsInRaw.map((amountInRaw) => ({
    target: pool.address,
    data: encodeFunctionData({ abi: poolAbi, functionName: 'viewOriginSwap', args: [tokenIn, tokenOut, amountInRaw] }),
  }))
  const read = async (part: readonly Call[]) => (await reader.aggregate(part, blockHash)).results
  return await readEach(calls, read).catch(rethrowUpstream)
}

function toOutcome(result: Result | undefined, sides: readonly [PoolSide, PoolSide], amountInRaw: bigint): Outcome {
  if (!result) return noResult()
  if (!result.success) return toViewError(result.data, sides, amountInRaw)
  const amountOutRaw = decodeResult(result, poolAbi, 'viewOriginSwap')
  // The views of the DFX family return zero where ours revert.
  return amountOutRaw === 0n ? amountTooSmall(...sides) : amountOutRaw
}

function noResult(): ServiceError {
  return new ServiceError('svc/upstream-error', "Cannot read a pool's view: it needs more gas than the node grants", {})
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
