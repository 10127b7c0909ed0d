import * as Errors from '../errors/Errors.ts'
import { toHop, type Hop } from '../pool/Hop.ts'
import type { PoolSide, PoolState } from '../pool/PoolState.ts'
import type { Address } from '../token/Token.ts'
import { findPoolOf } from './poolIndex.ts'

/** The hops of a conversion, in order. Each hop takes what the previous hop pays. */
export type ConversionRoute = readonly [Hop, ...Hop[]]

/** The maximum number of pools that the router converts through. */
export const maxHops = 2

/**
 * Returns the route that the router takes: the direct pool if there is one, else the two pools through the reference
 * token.
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
    /** The quote token of every pool. */
    readonly referenceToken: Address
  }
}

function findHop(pools: readonly PoolState[], tokenIn: Address, tokenOut: Address): Hop | undefined {
  const pool = findPoolOf(pools, tokenIn, tokenOut)
  return pool && toHop(pool, tokenIn, tokenOut)
}

/** Returns the side of the first pool that takes the input of a route. */
export function getOrigin(route: ConversionRoute): PoolSide {
  return route[0].origin
}

/** Returns the side of the last pool that pays the output of a route. */
export function getTarget(route: ConversionRoute): PoolSide {
  return (route.at(-1) ?? route[0]).target
}

/** Returns the route of the conversion back: the same pools from the last token to the first. */
export function reverseRoute(route: ConversionRoute): ConversionRoute {
  return mapHops(route.toReversed() as unknown as ConversionRoute, ({ pool, origin, target }) => ({
    pool,
    origin: target,
    target: origin,
  }))
}

/** Calls a function for each hop and returns the results. A route has at least one hop. */
export function mapHops<From, To>(
  hops: readonly [From, ...From[]],
  toOther: (hop: From) => To,
): readonly [To, ...To[]] {
  const [first, ...others] = hops
  return [toOther(first), ...others.map((hop) => toOther(hop))]
}
