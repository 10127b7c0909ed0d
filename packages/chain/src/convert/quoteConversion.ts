import { Route, Hop, Pool, ServiceError } from '@agio/core'
import type { Head } from '../head/Head.ts'
import type { Reader } from '../reader/createReader.ts'
import type { Snapshots, Snapshot } from '../snapshot/createSnapshots.ts'
import { viewRoute } from './viewRoute.ts'

/**
 * Returns the quote for an exact input over a route, at the snapshot's block. The quote is returned at once unless a
 * pool is priced on chain. In that case the views of the pools determine it.
 *
 * If a reorganisation has replaced the block, the quote is made at the newest block.
 *
 * @throws the errors of `Route.priceExactIn`, and `svc/reverted` or `svc/upstream-*` from a pool's view. The amounts of
 * `svc/above-max-origin` are in the route's first token. Its limit is absent if it is unknown.
 */
export function quoteConversion(
  tools: quoteConversion.Tools,
  snapshot: Snapshot,
  request: quoteConversion.Request,
): Quoted | Promise<Quoted> {
  const { route, amountInRaw } = request
  if (route.some(({ pool }) => pool.pricing === 'on-chain')) return quoteOnChain(tools, snapshot, request)
  const amountOutRaw = Route.priceExactIn(route, amountInRaw, snapshot.block.timestampSeconds)
  return { amountOutRaw, worstCaseOutRaw: amountOutRaw, route, block: snapshot.block }
}

export declare namespace quoteConversion {
  type Tools = { readonly reader: Reader; readonly snapshots: Snapshots }
  type Request = {
    readonly route: Route.Route
    /** Raw units of the route's first token. */
    readonly amountInRaw: bigint
  }
}

/** The quote for a route. */
export type Quoted = {
  /** Raw units of the route's last token. */
  readonly amountOutRaw: bigint
  /**
   * The least that executing the quote can pay on unchanged pools: less than the view returned if a pool is priced on
   * chain.
   */
  readonly worstCaseOutRaw: bigint
  /** The pools at the block. */
  readonly route: Route.Route
  readonly block: Head
}

async function quoteOnChain(
  { reader, snapshots }: quoteConversion.Tools,
  snapshot: Snapshot,
  request: quoteConversion.Request,
): Promise<Quoted> {
  const amountsInRaw = [request.amountInRaw]
  return await quoteAtBlock(snapshots, { snapshot, route: request.route }, async ({ snapshot: { block }, route }) => {
    const [amountOutRaw] = await viewRoute(reader, block, { route, amountsInRaw })
    if (typeof amountOutRaw !== 'bigint') throw amountOutRaw
    return { amountOutRaw, worstCaseOutRaw: Route.toWorstCaseOut(route, amountOutRaw), route, block }
  })
}

/**
 * Makes a quote by the views of pools at a snapshot's block. If a reorganisation has replaced that block, the quote is
 * made at the newest block, over the same pools.
 *
 * @throws the errors of `quoteAt`
 */
export async function quoteAtBlock<Quote>(
  snapshots: Snapshots,
  { snapshot, route }: quoteAtBlock.Subject,
  quoteAt: (subject: quoteAtBlock.Subject) => Promise<Quote>,
): Promise<Quote> {
  try {
    return await quoteAt({ snapshot, route })
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'svc/upstream-error') throw error
    const current = await snapshots.refresh()
    if (current.block.hash === snapshot.block.hash) throw error
    return await quoteAt({ snapshot: current, route: moveTo(current, route) })
  }
}

export declare namespace quoteAtBlock {
  type Subject = {
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
