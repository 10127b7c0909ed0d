import { Hop, Pool, Route, ServiceError } from '@agio/core'
import type { Snapshots } from '../snapshot/createSnapshots.ts'
import type { Snapshot } from '../snapshot/Snapshot.ts'

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
