import { Route } from '@agio/core'
import type { Head } from '../head/Head.ts'
import type { Reader } from '../reader/createReader.ts'
import type { Snapshots } from '../snapshot/createSnapshots.ts'
import type { Snapshot } from '../snapshot/Snapshot.ts'
import { quoteAtBlock } from './quoteAtBlock.ts'
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
