import { Hop, ServiceError, Swap } from '@agio/core'
import { encodeFunctionData, type Hex } from 'viem'
import { poolAbi } from '../abi/index.ts'
import type { Head } from '../head/Head.ts'
import type { Reader } from '../reader/createReader.ts'
import { readViews } from './readViews.ts'
import { noResult, toFirstToken, toOutcome, type Outcome } from './viewOutcome.ts'
import { viewTogether } from './viewTogether.ts'

/**
 * Returns the outputs of a route for many inputs at one block, in their order, by one batch of calls.
 *
 * A deployed reader cannot pass the outputs of one pool priced on chain to the next pool, so each pool needs its own
 * batch. Frozen pools and stale prices are refused here, since the views of the DFX family do not check them.
 *
 * @throws `svc/pool-frozen` and `svc/stale-price`, which apply to every input, and `svc/upstream-*`
 */
export async function viewRoute(
  reader: Reader,
  block: Head,
  request: viewTogether.Request,
): Promise<readonly Outcome[]> {
  const { route, amountsInRaw } = request
  if (route.length > 1 && route.every(({ pool }) => pool.pricing === 'on-chain')) {
    const together = await viewTogether(reader, block, request)
    if (together) return together
  }
  const [first, ...others] = route
  let outcomes = await viewHop(reader, block, { hop: first, amountsInRaw })
  for (const hop of others) {
    const paid = await viewNext(reader, block, { hop, outcomes })
    outcomes = outcomes.map((outcome, index) => {
      if (typeof outcome !== 'bigint') return outcome
      return toFirstToken(paid.get(outcome) ?? noResult(), first.origin.token, amountsInRaw[index] ?? 0n)
    })
  }
  return outcomes
}

/** Returns the outcomes of a hop. Its inputs are the outputs of the previous hop. */
async function viewNext(
  reader: Reader,
  block: Head,
  { hop, outcomes }: { readonly hop: Hop.Hop; readonly outcomes: readonly Outcome[] },
): Promise<ReadonlyMap<bigint, Outcome | undefined>> {
  // Inputs that differ by less than a unit of the intermediate token have the same output.
  const amountsInRaw = [...new Set(outcomes.filter((outcome) => typeof outcome === 'bigint'))]
  if (amountsInRaw.length === 0) return new Map()
  const paid = await viewHop(reader, block, { hop, amountsInRaw })
  return new Map(amountsInRaw.map((amountRaw, index) => [amountRaw, paid[index]]))
}

type Swaps = { readonly hop: Hop.Hop; readonly amountsInRaw: readonly bigint[] }

async function viewHop(reader: Reader, block: Head, swaps: Swaps): Promise<readonly Outcome[]> {
  const { hop, amountsInRaw } = swaps
  Hop.assertPriceable(hop, 1n, block.timestampSeconds)
  if (hop.pool.pricing !== 'on-chain') {
    return amountsInRaw.map((amountInRaw) => quoteLocally(hop, amountInRaw, block.timestampSeconds))
  }
  const results = await callViews(reader, block.hash, swaps)
  return results.map((result, index) => toOutcome(result, hop, amountsInRaw[index] ?? 0n))
}

function quoteLocally(hop: Hop.Hop, amountInRaw: bigint, nowSeconds: bigint): Outcome {
  try {
    return Swap.priceExactIn(hop, amountInRaw, nowSeconds)
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}

/** Returns the result of the view for each amount; undefined if it needs more gas than the node grants. */
async function callViews(reader: Reader, blockHash: Hex, { hop: { pool, origin, target }, amountsInRaw }: Swaps) {
  const calls = amountsInRaw.map((amountInRaw) => {
    const args = [origin.token.address, target.token.address, amountInRaw] as const
    return { target: pool.address, data: encodeFunctionData({ abi: poolAbi, functionName: 'viewOriginSwap', args }) }
  })
  return await readViews(reader, blockHash, calls)
}
