import * as Bisection from '../curve/Bisection.ts'
import * as Errors from '../errors/Errors.ts'
import { ServiceError } from '../errors/ServiceError.ts'
import * as Hop from '../pool/Hop.ts'
import * as Pool from '../pool/Pool.ts'
import * as PoolErrors from '../pool/PoolErrors.ts'
import * as PoolMath from '../pool/PoolMath.ts'
import * as Swap from '../pool/Swap.ts'
import type { Address } from '../token/Token.ts'

/** The hops of a conversion, in order. Each hop takes what the previous hop pays. */
export type Route = readonly [Hop.Hop, ...Hop.Hop[]]

/** The maximum number of pools that the router converts through. */
export const maxHops = 2

/**
 * Returns the route that the router takes: the direct pool if there is one, else the two pools through the reference
 * token.
 *
 * @throws `svc/no-route` if no pools connect the two tokens
 * @throws `svc/invalid-request` if they are the same
 */
export function get(pools: readonly Pool.Pool[], request: Options): Route {
  const { tokenIn, tokenOut } = request
  if (tokenIn === tokenOut) throw Errors.sameToken(tokenOut)
  const route = find(pools, request)
  if (route) return route
  throw Errors.noRoute({ tokenIn, tokenOut })
}

/** Returns the route that `get` returns; undefined if no pools connect the two tokens. */
export function find(pools: readonly Pool.Pool[], { tokenIn, tokenOut, referenceToken }: Options): Route | undefined {
  const direct = findHop(pools, tokenIn, tokenOut)
  if (direct) return [direct]
  const first = findHop(pools, tokenIn, referenceToken)
  const second = findHop(pools, referenceToken, tokenOut)
  return first && second && [first, second]
}

type Options = {
  readonly tokenIn: Address
  readonly tokenOut: Address
  /** The token between the two pools of a route without a direct pool. */
  readonly referenceToken: Address
}

function findHop(pools: readonly Pool.Pool[], tokenIn: Address, tokenOut: Address): Hop.Hop | undefined {
  const pool = Pool.findByTokens(pools, tokenIn, tokenOut)
  return pool && Hop.from(pool, tokenIn, tokenOut)
}

/** Returns the side of the first pool that takes the input of a route. */
export function getOrigin(route: Route): Pool.Side {
  return route[0].origin
}

/** Returns the side of the last pool that pays the output of a route. */
export function getTarget(route: Route): Pool.Side {
  return (route.at(-1) ?? route[0]).target
}

/** Returns the route of the conversion back: the same pools from the last token to the first. */
export function reverse(route: Route): Route {
  return mapHops(route.toReversed() as unknown as Route, ({ pool, origin, target }) => ({
    pool,
    origin: target,
    target: origin,
  }))
}

/** Calls a function for each hop and returns the results. A route has at least one hop. */
export function mapHops<From, To>(hops: readonly [From, ...From[]], mapHop: (hop: From) => To): readonly [To, ...To[]] {
  const [first, ...others] = hops
  return [mapHop(first), ...others.map((hop) => mapHop(hop))]
}

/**
 * Asserts that every pool of a route can price a swap, in the order of the route. A refusal of every amount comes before
 * a refusal of one amount.
 *
 * @param amountRaw the exact amount, in raw units of its token
 * @throws the errors of `Hop.assertPriceable`
 */
export function assertPriceable(route: Route, amountRaw: bigint, nowSeconds: bigint): void {
  for (const hop of route) Hop.assertPriceable(hop, amountRaw, nowSeconds)
}

/**
 * Returns the output of a route for an exact input, in raw units of its last token. Each hop takes the rounded output of
 * the previous hop. No pool of the route may be priced on chain.
 *
 * @throws the errors of `Swap.priceExactIn`; the amounts are in the first token, even if a later pool refuses. The route
 * pays for each amount that an error names
 */
export function priceExactIn(route: Route, amountInRaw: bigint, nowSeconds: bigint): bigint {
  try {
    return route.reduce((amountRaw, hop) => Swap.priceExactIn(hop, amountRaw, nowSeconds), amountInRaw)
  } catch (error) {
    assertPriceable(route, amountInRaw, nowSeconds)
    const code = error instanceof ServiceError ? error.code : undefined
    if (code === 'svc/above-max-origin') throw aboveLimit(route, amountInRaw, nowSeconds)
    if (code === 'svc/no-convergence') throw noConvergence(route, amountInRaw, nowSeconds)
    throw error
  }
}

/** Returns whether a route pays anything for an input. */
function isPaid(route: Route, amountInRaw: bigint, nowSeconds: bigint): boolean {
  let amountRaw: bigint | undefined = amountInRaw
  for (const hop of route) {
    amountRaw = Swap.findOutput(hop, amountRaw, nowSeconds)
    if (amountRaw === undefined) return false
  }
  return true
}

/**
 * Returns the smallest input of a route for an exact output, in raw units of its first token. Each hop pays exactly
 * what the next hop takes. No smaller input buys the output by `priceExactIn` either.
 *
 * @throws the errors of `PoolMath.priceExactOut`; the amounts of `svc/above-max-origin` are in the first token, even if a later
 * pool refuses
 */
export function priceExactOut(route: Route, amountOutRaw: bigint, nowSeconds: bigint): bigint {
  let amountRaw = amountOutRaw
  for (let index = route.length - 1; index >= 0; index -= 1) {
    const hop = route[index] ?? route[0]
    try {
      amountRaw = PoolMath.priceExactOut(hop, amountRaw, nowSeconds)
    } catch (error) {
      assertPriceable(route, amountOutRaw, nowSeconds)
      const isLimit = error instanceof ServiceError && error.code === 'svc/above-max-origin'
      if (!isLimit) throw error
      const earlier = route.slice(0, index)
      throw aboveLimit(route, toInput(earlier, PoolMath.smallestInput(hop, amountRaw)), nowSeconds)
    }
  }
  return amountRaw
}

/** Returns the input of hops for an output at their oracle prices and fees, without a check of their limits. */
function toInput(hops: readonly Hop.Hop[], amountOutRaw: bigint): bigint {
  return hops.reduceRight((amountRaw, hop) => PoolMath.smallestInput(hop, amountRaw), amountOutRaw)
}

/** An exact input that pays at least a requested output, in raw units. */
export type Input = { readonly amountInRaw: bigint; readonly amountOutRaw: bigint }

/**
 * Returns the smallest exact input for which a route pays at least an output, and the output that it pays. No pool of
 * the route may be priced on chain.
 *
 * @throws the errors of `priceExactIn`; the amount of `svc/above-max-origin` is an estimate of the input that the output
 * would cost
 */
export function smallestInput(route: Route, amountOutRaw: bigint, nowSeconds: bigint): Input {
  assertPriceable(route, amountOutRaw, nowSeconds)
  const [first, ...others] = route
  let firstOutRaw = findInput(others, amountOutRaw)
  for (let round = 0; round < maxRounds && firstOutRaw !== undefined; round += 1) {
    const amountInRaw = Swap.findSmallestInput(first, firstOutRaw)
    if (amountInRaw === undefined) break
    const paidRaw = priceExactIn(route, amountInRaw, nowSeconds)
    if (paidRaw >= amountOutRaw) return { amountInRaw, amountOutRaw: paidRaw }
    // The iteration of a curve stops within a millionth of a dollar of the price, so a slightly larger input may pay
    // less.
    firstOutRaw += 1n << BigInt(round)
  }
  throw aboveLimit(route, toInput(route, amountOutRaw), nowSeconds)
}

const maxRounds = 64

/** Returns the input of hops for an output; undefined if no input of a hop pays it. */
function findInput(hops: readonly Hop.Hop[], amountOutRaw: bigint): bigint | undefined {
  return hops.reduceRight<bigint | undefined>(
    (amountRaw, hop) => (amountRaw === undefined ? undefined : Swap.findSmallestInput(hop, amountRaw)),
    amountOutRaw,
  )
}

/** Returns the error for an input above the limit of a route. The error names the largest input that the route pays for. */
function aboveLimit(route: Route, amountInRaw: bigint, nowSeconds: bigint): ServiceError<'svc/above-max-origin'> {
  return PoolErrors.aboveLimit(getOrigin(route).token, amountInRaw, findMaxInput(route, nowSeconds))
}

/** Returns the error for an input without a price. The error names the nearest input that the route pays for. */
function noConvergence(route: Route, amountInRaw: bigint, nowSeconds: bigint): ServiceError<'svc/no-convergence'> {
  const nearestRaw = Bisection.findNearest(amountInRaw, (nearRaw) => isPaid(route, nearRaw, nowSeconds))
  return PoolErrors.noConvergence(getOrigin(route).token, amountInRaw, nearestRaw)
}

/**
 * Returns the largest input that a route pays for, in raw units of the first token. No pool of the route may be priced
 * on chain. Curves have gaps, in which they refuse inputs below the limit, so the search may miss a larger input. The
 * iteration of a curve stops within half a millionth of a dollar, so a second curve may pay for single inputs that are
 * larger by less than a millionth of a dollar.
 *
 * @returns undefined if the search finds no input that is paid
 */
export function findMaxInput(route: Route, nowSeconds: bigint): bigint | undefined {
  const maxRaw = maxInput(route)
  return Bisection.findNearest(maxRaw, (nearRaw) => nearRaw <= maxRaw && isPaid(route, nearRaw, nowSeconds))
}

/**
 * Returns the largest input that keeps every pool of a route within its halt, in raw units of the first token.
 * `priceExactIn` throws `svc/above-max-origin` for the next larger input, and for no input up to it. The input may be too
 * small to pay anything.
 */
export function maxInput(route: Route): bigint {
  let limitRaw: bigint | undefined
  for (const hop of route.toReversed()) {
    const hopMaxRaw = Swap.maxInput(hop)
    const beyondRaw = limitRaw === undefined ? undefined : Swap.findSmallestInput(hop, limitRaw + 1n)
    limitRaw = beyondRaw === undefined || hopMaxRaw < beyondRaw ? hopMaxRaw : beyondRaw - 1n
  }
  return limitRaw ?? 0n
}

/**
 * Returns the smallest input for which a route pays anything, in raw units of the first token. The limits of the pools
 * are not checked. For a pool priced on chain the result is an estimate.
 */
export function minInput(route: Route): bigint {
  return route.reduceRight(
    (outRaw, hop) => Swap.findSmallestInput(hop, outRaw) ?? PoolMath.smallestInput(hop, outRaw),
    1n,
  )
}

/** A pool of the DFX family may pay up to this many raw units less than its view returns at the same state. */
const viewToleranceRaw = 2n

/**
 * Returns the least that a route can pay when it is executed on unchanged pools, in raw units of its last token. A pool
 * priced locally pays the priced output exactly. A pool priced on chain may pay up to two units less than its view
 * returned.
 *
 * @param amountOutRaw the priced output of the route, in raw units
 */
export function toWorstCaseOut(route: Route, amountOutRaw: bigint): bigint {
  const toleranceRaw = toleranceOf(route)
  return amountOutRaw > toleranceRaw ? amountOutRaw - toleranceRaw : 0n
}

/**
 * Returns the smallest priced output of a route that pays at least an output when it is executed on unchanged pools, in
 * raw units of its last token. This is the inverse of `toWorstCaseOut`.
 */
export function fromWorstCaseOut(route: Route, amountOutRaw: bigint): bigint {
  return amountOutRaw + toleranceOf(route)
}

function toleranceOf(route: Route): bigint {
  let toleranceRaw = 0n
  for (const hop of route) {
    // The tolerance is doubled, since a pool that rewards balance may pay more than the oracles for the last units.
    if (toleranceRaw > 0n) toleranceRaw = 2n * (PoolMath.valueAtOracle(hop, toleranceRaw) + 1n)
    if (hop.pool.pricing === 'on-chain') toleranceRaw += viewToleranceRaw
  }
  return toleranceRaw
}
