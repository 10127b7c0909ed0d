import type { Chain, Snapshot } from '@agio/chain'
import { Hop, Route, type Address } from '@agio/core'
import { getPool } from './getPool.ts'
import { getToken } from './getToken.ts'

/**
 * Returns the route of a conversion: the given pool, or the route of the router.
 *
 * @throws `svc/unsupported-token`, `svc/pool-not-found`, `svc/no-route`; `svc/invalid-request` if both tokens are the
 * same
 */
export function resolveRoute(
  { deployment: { referenceToken } }: Pick<Chain, 'deployment'>,
  snapshot: Snapshot,
  { poolAddress, tokenIn, tokenOut }: resolveRoute.Request,
): Route.Route {
  if (poolAddress !== undefined) return [Hop.from(getPool(snapshot, poolAddress), tokenIn, tokenOut)]
  getToken(snapshot, tokenIn, 'tokenIn')
  getToken(snapshot, tokenOut, 'tokenOut')
  return Route.get(snapshot.pools, { tokenIn, tokenOut, referenceToken })
}

export declare namespace resolveRoute {
  type Request = {
    readonly poolAddress?: Address | undefined
    readonly tokenIn: Address
    readonly tokenOut: Address
  }
}
