import { findPool, getWorstCaseOut, quoteRoute, ServiceError, type ConversionRoute } from '@agio/core'
import type { Head } from '../head/Head.ts'
import type { Reader } from '../reader/createReader.ts'
import type { Snapshots } from '../snapshot/createSnapshots.ts'
import type { Snapshot } from '../snapshot/Snapshot.ts'
import { quoteOnChain } from './quoteOnChain.ts'

/**
 * The quote for an exact input over a route, at the snapshot's block: at once if every pool is priced locally, else by the
 * views of the pools. If a reorganisation has replaced that block, the quote is made at the newest one.
 *
 * @throws what `quoteRoute` throws, and `svc/reverted` or `svc/upstream-*` from a pool's view
 */
export function quoteConversion(
  tools: quoteConversion.Tools,
  snapshot: Snapshot,
  request: quoteConversion.Request,
): Quoted | Promise<Quoted> {
  const { route, amountInRaw } = request
  const isLocal = route.every(({ pool }) => pool.pricing === 'local')
  if (!isLocal) return quoteAtBlock(tools, snapshot, request)
  const amountOutRaw = quoteRoute(route, amountInRaw, snapshot.block.timestampSeconds)
  return { amountOutRaw, worstCaseOutRaw: amountOutRaw, route, block: snapshot.block }
}

export declare namespace quoteConversion {
  type Tools = { readonly reader: Reader; readonly snapshots: Snapshots }
  type Request = {
    readonly route: ConversionRoute
    /** Raw units of the route's first token. */
    readonly amountInRaw: bigint
  }
}

/** The quote for a route. */
export type Quoted = {
  /** Raw units of the route's last token. */
  readonly amountOutRaw: bigint
  /** The least that executing the quote can pay on unchanged pools: less than the quote if a pool is priced on chain. */
  readonly worstCaseOutRaw: bigint
  /** The pools at the block. */
  readonly route: ConversionRoute
  readonly block: Head
}

async function quoteAtBlock(
  { reader, snapshots }: quoteConversion.Tools,
  snapshot: Snapshot,
  { route, amountInRaw }: quoteConversion.Request,
): Promise<Quoted> {
  const quoteAt = async (at: Snapshot, pools: ConversionRoute): Promise<Quoted> => {
    const amountOutRaw = await quoteOnChain(reader, at, { route: pools, amountInRaw })
    return { amountOutRaw, worstCaseOutRaw: getWorstCaseOut(pools, amountOutRaw), route: pools, block: at.block }
  }
  try {
    return await quoteAt(snapshot, route)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'svc/upstream-error') throw error
    const current = await snapshots.refresh()
    if (current.block.hash === snapshot.block.hash) throw error
    return await quoteAt(current, moveTo(current, route))
  }
}

/** The same route over the pools of another snapshot. */
function moveTo({ pools }: Snapshot, route: ConversionRoute): ConversionRoute {
  return route.map((hop) => ({
    ...hop,
    pool: findPool(pools, hop.pool.address) ?? hop.pool,
  })) as unknown as ConversionRoute
}
