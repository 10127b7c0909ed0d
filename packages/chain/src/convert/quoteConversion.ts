import { findPool, getWorstCaseOut, quoteRoute, ServiceError, type ConversionRoute } from '@agio/core'
import type { Head } from '../head/Head.ts'
import type { Rpc } from '../selection/createRpc.ts'
import type { Snapshots } from '../snapshot/createSnapshots.ts'
import type { Snapshot } from '../snapshot/Snapshot.ts'
import { quoteOnChain } from './quoteOnChain.ts'

/**
 * What a route pays for an exact input, at the snapshot's block: by our maths where it fits every pool, else also by the
 * pools' own views. If no node knows that block any more, after a reorg, once more at the newest one.
 *
 * @throws what `quoteRoute` throws, and `svc/reverted` or `svc/upstream-*` from a pool's view
 */
export function quoteConversion(
  tools: quoteConversion.Tools,
  snapshot: Snapshot,
  request: quoteConversion.Request,
): Quoted | Promise<Quoted> {
  const { route, amountInRaw } = request
  const isOurs = route.every(({ pool }) => pool.pricing === 'local')
  if (!isOurs) return quoteForeign(tools, snapshot, request)
  const amountOutRaw = quoteRoute(route, amountInRaw, snapshot.block.timestampSeconds)
  return { amountOutRaw, worstCaseOutRaw: amountOutRaw, route, block: snapshot.block }
}

export declare namespace quoteConversion {
  type Tools = { readonly rpc: Rpc; readonly snapshots: Snapshots }
  type Request = {
    readonly route: ConversionRoute
    /** Raw units of the route's first token. */
    readonly amountInRaw: bigint
  }
}

/** What a route pays. */
export type Quoted = {
  /** Raw units of the route's last token. */
  readonly amountOutRaw: bigint
  /** What executing it pays at least, as the pools stand: less than the quote where a view's word is good to two units. */
  readonly worstCaseOutRaw: bigint
  /** The pools as they stood at the block. */
  readonly route: ConversionRoute
  readonly block: Head
}

async function quoteForeign(
  { rpc, snapshots }: quoteConversion.Tools,
  snapshot: Snapshot,
  { route, amountInRaw }: quoteConversion.Request,
): Promise<Quoted> {
  const quoteAt = async (at: Snapshot, pools: ConversionRoute): Promise<Quoted> => {
    const amountOutRaw = await quoteOnChain(rpc, at, { route: pools, amountInRaw })
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

/** The same pools as they stand in another snapshot of the deployment. */
function moveTo({ pools }: Snapshot, route: ConversionRoute): ConversionRoute {
  return route.map((hop) => ({
    ...hop,
    pool: findPool(pools, hop.pool.address) ?? hop.pool,
  })) as unknown as ConversionRoute
}
