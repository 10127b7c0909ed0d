import { assertQuotable, quoteOutput, ServiceError, sidesOf, type ConversionRoute, type Hop } from '@agio/core'
import { encodeFunctionData, type Hex } from 'viem'
import { poolAbi } from '../abi/index.ts'
import type { Head } from '../head/Head.ts'
import type { Reader } from '../reader/createReader.ts'
import { readViews } from './readViews.ts'
import { noResult, toFirstToken, toOutcome, type Outcome } from './viewOutcome.ts'
import { viewTogether } from './viewTogether.ts'

/**
 * The outputs of a route for many inputs at one block, in their order, by one batch of calls. A deployed reader cannot pass the
 * outputs of one pool priced on chain to another, and needs one for each. Frozen pools and stale prices are refused, since the
 * views of the DFX family do not check them.
 *
 * @throws `svc/pool-frozen` and `svc/stale-price`, which no input avoids, and `svc/upstream-*`
 */
export async function viewRoute(reader: Reader, block: Head, request: viewRoute.Request): Promise<readonly Outcome[]> {
  const [first, second] = request.route
  if (second && first.pool.pricing === 'on-chain' && second.pool.pricing === 'on-chain') {
    const together = await viewTogether(reader, block, { hops: [first, second], amountsInRaw: request.amountsInRaw })
    if (together) return together
  }
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
    return toFirstToken(outcome, token, request.amountsInRaw[index] ?? 0n)
  })
}

export declare namespace viewRoute {
  type Request = {
    readonly route: ConversionRoute
    /** Raw units of the route's first token. */
    readonly amountsInRaw: readonly bigint[]
  }
}

type Swaps = Hop & { readonly amountsInRaw: readonly bigint[] }

async function viewHop(reader: Reader, block: Head, swaps: Swaps): Promise<readonly Outcome[]> {
  const { pool, tokenIn, tokenOut, amountsInRaw } = swaps
  const sides = assertQuotable(pool, { tokenIn, tokenOut, amountRaw: 1n }, block.timestampSeconds)
  if (pool.pricing !== 'on-chain') {
    return amountsInRaw.map((amountInRaw) => quoteLocally({ ...swaps, amountInRaw }, block.timestampSeconds))
  }
  const results = await callViews(reader, block.hash, swaps)
  return results.map((result, index) => toOutcome(result, sides, amountsInRaw[index] ?? 0n))
}

function quoteLocally(swap: Hop & { readonly amountInRaw: bigint }, nowSeconds: bigint): Outcome {
  try {
    return quoteOutput(swap.pool, swap, nowSeconds)
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
  return await readViews(reader, blockHash, calls)
}
