import { Route, Hop, Pool, ServiceError } from '@agio/core'
import type { Head } from '../head/Head.ts'
import type { Reader } from '../reader/createReader.ts'
import type { Snapshots, Snapshot } from '../snapshot/createSnapshots.ts'
import { viewRoute } from './viewRoute.ts'

/**
 * Prices an exact input over a route, at the snapshot's block. Returns the price at once unless a pool is priced on
 * chain. In that case, calls of the pools' views determine the price.
 *
 * If a reorganisation has replaced the block, the input is priced at the newest block.
 *
 * @throws the errors of `Route.priceExactIn`, and `svc/reverted` or `svc/upstream-*` from a pool's view. The amounts of
 * `svc/above-max-origin` are in the route's first token. The limit is absent if it is unknown.
 */
export function priceExactIn(
  dependencies: priceExactIn.Dependencies,
  snapshot: Snapshot,
  options: priceExactIn.Options,
): PricedConversion | Promise<PricedConversion> {
  const { route, amountInRaw } = options
  if (route.some(({ pool }) => pool.pricing === 'on-chain')) return priceOnChain(dependencies, snapshot, options)
  const amountOutRaw = Route.priceExactIn(route, amountInRaw, snapshot.block.timestampSeconds)
  return { amountOutRaw, worstCaseOutRaw: amountOutRaw, route, block: snapshot.block }
}

export declare namespace priceExactIn {
  type Dependencies = { readonly reader: Reader; readonly snapshots: Snapshots }
  type Options = {
    readonly route: Route.Route
    readonly amountInRaw: bigint
  }
}

/** The price of a conversion over a route. */
export type PricedConversion = {
  readonly amountOutRaw: bigint
  /**
   * The smallest output that executing the conversion can pay on unchanged pools. If a pool is priced on chain, this is
   * less than `amountOutRaw`.
   */
  readonly worstCaseOutRaw: bigint
  /** The pools at the block. */
  readonly route: Route.Route
  readonly block: Head
}

async function priceOnChain(
  { reader, snapshots }: priceExactIn.Dependencies,
  snapshot: Snapshot,
  options: priceExactIn.Options,
): Promise<PricedConversion> {
  const amountsInRaw = [options.amountInRaw]
  return await priceAtBlock(snapshots, { snapshot, route: options.route }, async ({ snapshot: { block }, route }) => {
    const [amountOutRaw] = await viewRoute(reader, block, { route, amountsInRaw })
    if (typeof amountOutRaw !== 'bigint') throw amountOutRaw
    return { amountOutRaw, worstCaseOutRaw: Route.toWorstCaseOut(route, amountOutRaw), route, block }
  })
}

/**
 * Prices a conversion at a snapshot's block, or over the same pools at the newest block if a reorganisation has replaced it.
 * @throws the errors of `priceAt`
 */
export async function priceAtBlock<Price>(
  snapshots: Snapshots,
  { snapshot, route }: priceAtBlock.Options,
  priceAt: (options: priceAtBlock.Options) => Promise<Price>,
): Promise<Price> {
  try {
    return await priceAt({ snapshot, route })
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'svc/upstream-error') throw error
    const current = await snapshots.refresh()
    if (current.block.hash === snapshot.block.hash) throw error
    return await priceAt({ snapshot: current, route: moveTo(current, route) })
  }
}

export declare namespace priceAtBlock {
  type Options = {
    readonly snapshot: Snapshot
    /** The pools at the snapshot's block. */
    readonly route: Route.Route
  }
}

/** Returns the same route over the pools of another snapshot. */
function moveTo({ pools }: Snapshot, route: Route.Route): Route.Route {
  return Route.mapHops(route, (hop) => {
    const pool = Pool.find(pools, hop.pool.address)
    return pool ? Hop.from(pool, hop.origin.token.address, hop.target.token.address) : hop
  })
}
