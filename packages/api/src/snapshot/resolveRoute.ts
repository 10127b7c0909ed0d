import type { Chain, Snapshot } from '@agio/chain'
import { findConversionRoute, toHop, type Address, type ConversionRoute } from '@agio/core'
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
): ConversionRoute {
  if (poolAddress !== undefined) return [toHop(getPool(snapshot, poolAddress), tokenIn, tokenOut)]
  getToken(snapshot, tokenIn, 'tokenIn')
  getToken(snapshot, tokenOut, 'tokenOut')
  return findConversionRoute(snapshot.pools, { tokenIn, tokenOut, referenceToken })
}

export declare namespace resolveRoute {
  type Request = {
    readonly poolAddress?: Address | undefined
    readonly tokenIn: Address
    readonly tokenOut: Address
  }
}
