import { Route, Swap, type Hop } from '@agio/core'
import { encodeFunctionData, type Hex } from 'viem'
import { poolAbi, routeReaderAbi } from '../abi/index.ts'
import type { Head } from '../head/Head.ts'
import { type Reader, type Call, readEach } from '../reader/createReader.ts'
import { noResult, toFirstToken, toOutcome, tryPrice, type Outcome } from './viewOutcome.ts'
import { decodeResult, type Result } from '../reader/decodeResult.ts'
import { rethrowUpstream } from '../errors/toUpstreamError.ts'

/**
 * Returns the output of a route for each of many inputs at one block, in the order of the inputs. One batch of calls
 * reads all outputs.
 *
 * With a deployed reader, each pool priced on chain needs its own batch, because that reader cannot pass the outputs of
 * one pool to the next pool. This function refuses frozen pools and stale prices, because the views of the DFX family
 * do not check them.
 *
 * @throws `svc/pool-frozen` and `svc/stale-price`, which apply to every input, and `svc/upstream-*`
 */
export async function viewRoute(reader: Reader, block: Head, options: viewRoute.Options): Promise<readonly Outcome[]> {
  const { route, amountsInRaw } = options
  Route.assertPriceable(route, 1n, block.timestampSeconds)
  if (route.length > 1 && route.every(({ pool }) => pool.pricing === 'on-chain')) {
    const together = await viewTogether(reader, block, options)
    if (together) return together
  }
  const [first, ...others] = route
  const toRouteOutcome = (outcome: Outcome, index: number) =>
    toFirstToken(outcome, first.origin.token, amountsInRaw[index] ?? 0n)
  const firstOutcomes = await viewHop(reader, block, { hop: first, amountsInRaw })
  // A later pool may refuse the amounts that an error of the first pool names.
  let outcomes = others.length === 0 ? firstOutcomes : firstOutcomes.map(toRouteOutcome)
  for (const hop of others) {
    const paidRaw = outcomes.filter((outcome) => typeof outcome === 'bigint')
    const hopOutcomes = paidRaw.length === 0 ? [] : await viewHop(reader, block, { hop, amountsInRaw: paidRaw })
    const left = hopOutcomes.values()
    outcomes = outcomes.map((outcome, index) =>
      typeof outcome === 'bigint' ? toRouteOutcome(left.next().value ?? noResult(), index) : outcome,
    )
  }
  return outcomes
}

export declare namespace viewRoute {
  type Options = {
    readonly route: Route.Route
    readonly amountsInRaw: readonly bigint[]
  }
}

type Swaps = { readonly hop: Hop.Hop; readonly amountsInRaw: readonly bigint[] }

async function viewHop(reader: Reader, block: Head, swaps: Swaps): Promise<readonly Outcome[]> {
  const { hop, amountsInRaw } = swaps
  if (hop.pool.pricing !== 'on-chain') {
    return amountsInRaw.map((amountInRaw) =>
      tryPrice(() => Swap.priceExactIn(hop, amountInRaw, block.timestampSeconds)),
    )
  }
  const results = await callViews(reader, block.hash, swaps)
  return results.map((result, index) => toOutcome(result, hop, amountsInRaw[index] ?? 0n))
}

/** Returns the result of the view for each amount; undefined if it needs more gas than the node grants. */
async function callViews(reader: Reader, blockHash: Hex, { hop: { pool, origin, target }, amountsInRaw }: Swaps) {
  const calls = amountsInRaw.map((amountInRaw) => {
    const args = [origin.token.address, target.token.address, amountInRaw] as const
    return { target: pool.address, data: encodeFunctionData({ abi: poolAbi, functionName: 'viewOriginSwap', args }) }
  })
  return await readViews(reader, blockHash, calls)
}

/**
 * Returns the outcomes of `viewRoute` for a route whose pools are all priced on chain. The RouteReader calls the view of
 * each pool at one block, and passes its output to the next pool.
 *
 * @returns undefined if the RouteReader is not available, or if a call fails, for example for lack of gas
 * @throws the errors of `viewRoute`
 */
async function viewTogether(
  reader: Reader,
  block: Head,
  { route, amountsInRaw }: viewRoute.Options,
): Promise<readonly Outcome[] | undefined> {
  const target = reader.routeReader
  if (target === undefined) return undefined
  const [first, ...others] = route
  const hops = toHops(route)
  const calls = amountsInRaw.map((amountInRaw) => {
    const args = [hops, amountInRaw] as const
    return { target, data: encodeFunctionData({ abi: routeReaderAbi, functionName: 'viewRoute', args }) }
  })
  const results = await readViews(reader, block.hash, calls)
  if (!results.every((result) => result?.success === true)) return undefined
  const views = results.map((result) => decodeResult(result, routeReaderAbi, 'viewRoute'))
  let outcomes = amountsInRaw.map((amountInRaw, index) => toOutcome(views[index]?.[0], first, amountInRaw))
  for (const [at, hop] of others.entries()) {
    if (!outcomes.some((outcome) => typeof outcome === 'bigint')) break
    outcomes = outcomes.map((amountRaw, index) => {
      if (typeof amountRaw !== 'bigint') return amountRaw
      const outcome = toOutcome(views[index]?.[at + 1], hop, amountRaw)
      return toFirstToken(outcome, first.origin.token, amountsInRaw[index] ?? 0n)
    })
  }
  return outcomes
}

/** Converts the pools of a route to the arguments of the RouteReader. */
export function toHops(route: Route.Route) {
  return route.map(({ pool, origin, target }) => ({
    pool: pool.address,
    origin: origin.token.address,
    target: target.token.address,
  }))
}

/** The number of views in one call. The gas of one call suffices for all of them. */
const viewsPerCall = 32

/**
 * Reads any number of views of pools at one block, in one batch of calls. The result of a view that needs more gas than the
 * node grants is undefined. @throws `svc/upstream-*`
 */
export async function readViews(
  reader: Reader,
  blockHash: Hex,
  calls: readonly Call[],
): Promise<readonly (Result | undefined)[]> {
  const parts = Array.from({ length: Math.ceil(calls.length / viewsPerCall) }, (_, index) =>
    calls.slice(index * viewsPerCall, (index + 1) * viewsPerCall),
  )
  const read = async (part: readonly Call[]) => (await reader.aggregate(part, blockHash)).results
  const results = await Promise.all(parts.map((part) => readEach(part, read))).catch(rethrowUpstream)
  return results.flat()
}
