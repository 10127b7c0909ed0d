import type { Snapshot } from '@agio/chain'
import { findConversionRoute, sidesOf, type Address, type ConversionRoute } from '@agio/core'
import { getPool } from '../pools/getPool.ts'
import { getToken } from '../snapshot/getToken.ts'

/**
 * Returns the route of a conversion: the given pool, else the route that the router takes.
 *
 * @throws `svc/unsupported-token`, `svc/pool-not-found`, `svc/no-route`; `svc/invalid-request` if both tokens are the same
 */
export function resolveRoute(snapshot: Snapshot, request: resolveRoute.Request): ConversionRoute {
  const { poolAddress, tokenIn, tokenOut } = request
  if (poolAddress === undefined) {
    getToken(snapshot, tokenIn, 'tokenIn')
    getToken(snapshot, tokenOut, 'tokenOut')
    return findConversionRoute(snapshot.pools, request)
  }
  const pool = getPool(snapshot, poolAddress)
  sidesOf(pool, tokenIn, tokenOut)
  return [{ pool, tokenIn, tokenOut }]
}

export declare namespace resolveRoute {
  type Request = {
    readonly poolAddress?: Address | undefined
    readonly tokenIn: Address
    readonly tokenOut: Address
    /** The token that every pool has as its quote. */
    readonly referenceToken: Address
  }
}
