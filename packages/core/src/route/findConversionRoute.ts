import * as Errors from '../errors/Errors.ts'
import type { PoolState } from '../pool/PoolState.ts'
import type { Address } from '../token/Token.ts'
import { findPoolOf } from './poolIndex.ts'

/** One pool of a route, with the tokens of the swap in it. */
export type Hop = {
  readonly pool: PoolState
  readonly tokenIn: Address
  readonly tokenOut: Address
}

/** The hops of a conversion: one pool, or two pools that share the reference token. */
export type ConversionRoute = readonly [Hop] | readonly [Hop, Hop]

/**
 * Returns the route that the router takes: the direct pool if one exists, else the two pools through the reference token.
 *
 * @throws `svc/no-route` if no pools connect the two tokens
 * @throws `svc/invalid-request` if they are the same
 */
export function findConversionRoute(
  pools: readonly PoolState[],
  request: findConversionRoute.Request,
): ConversionRoute {
  const { tokenIn, tokenOut, referenceToken } = request
  if (tokenIn === tokenOut) throw Errors.sameToken(tokenOut)
  const direct = findHop(pools, tokenIn, tokenOut)
  if (direct) return [direct]
  const first = findHop(pools, tokenIn, referenceToken)
  const second = findHop(pools, referenceToken, tokenOut)
  if (first && second) return [first, second]
  throw Errors.noRoute({ tokenIn, tokenOut })
}

export declare namespace findConversionRoute {
  type Request = {
    readonly tokenIn: Address
    readonly tokenOut: Address
    /** The token that every pool has as its quote. */
    readonly referenceToken: Address
  }
}

function findHop(pools: readonly PoolState[], tokenIn: Address, tokenOut: Address): Hop | undefined {
  const pool = findPoolOf(pools, tokenIn, tokenOut)
  return pool && { pool, tokenIn, tokenOut }
}
