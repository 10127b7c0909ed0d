import type { Snapshot } from '@agio/chain'
import { findConversionRoute, sidesOf, type Address, type ConversionRoute } from '@agio/core'
import { getPool } from '../pools/getPool.ts'
import { getToken } from '../snapshot/getToken.ts'

/**
 * Returns the route of a conversion: the given pool, else the route that the router takes.
 *
 * @throws `svc/unsupported-token`, `svc/pool-not-found`, `svc/no-route`; `svc/invalid-request` if both tokens are the same
 */
export function resolveRoute(snapshot: Snapshot, { poolAddress, ...request }: resolveRoute.Request): ConversionRoute {
  if (poolAddress === undefined) {
    getToken(snapshot, request.tokenIn, 'tokenIn')
    getToken(snapshot, request.tokenOut, 'tokenOut')
    return findConversionRoute(snapshot.pools, request)
  }
  const pool = getPool(snapshot, poolAddress)
  sidesOf(pool, request.tokenIn, request.tokenOut)
  return [{ pool, tokenIn: request.tokenIn, tokenOut: request.tokenOut }]
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
