import { Integer, PoolErrors, PricedRoute, Route, type ServiceError } from '@agio/core'
import type { Head } from '../head/Head.ts'
import type { Reader } from '../reader/createReader.ts'
import { findSmallestInput } from './findSmallestInput.ts'
import { priceAtBlock, type priceExactIn, type PricedConversion } from './priceExactIn.ts'
import { viewRoute } from './viewRoute.ts'

/**
 * Prices an exact output over a route, at the snapshot's block. Returns the price at once unless a pool is priced on
 * chain. In that case the price is the smallest input for which the views return the output plus a tolerance, because an
 * execution may pay slightly less than its view.
 *
 * If a reorganisation has replaced the block, the output is priced at the newest block.
 *
 * @throws the errors of `priceExactIn`
 */
export function priceExactOut(
  { reader, snapshots }: priceExactIn.Dependencies,
  snapshot: priceAtBlock.Options['snapshot'],
  { route, amountOutRaw }: priceExactOut.Options,
): PricedExactOut | Promise<PricedExactOut> {
  const { block } = snapshot
  if (route.some(({ pool }) => pool.pricing === 'on-chain')) {
    return priceAtBlock(snapshots, { snapshot, route }, (subject) => searchInput(reader, subject, amountOutRaw))
  }
  if (route.some(({ pool }) => pool.pricing === 'curve')) {
    const found = Route.smallestInput(route, amountOutRaw, block.timestampSeconds)
    const amounts = { amountInRaw: found.amountInRaw, amountOutRaw, worstCaseOutRaw: found.amountOutRaw }
    return { ...amounts, execution: 'origin-swap', route, block }
  }
  const amountInRaw = Route.priceExactOut(route, amountOutRaw, block.timestampSeconds)
  const amounts = { amountInRaw, amountOutRaw, worstCaseOutRaw: amountOutRaw }
  return { ...amounts, execution: 'target-swap', route, block }
}

export declare namespace priceExactOut {
  type Options = {
    readonly route: Route.Route
    readonly amountOutRaw: bigint
  }
}

/**
 * The price of an exact output. `amountOutRaw` is the output as requested. Executing the conversion pays at least
 * `worstCaseOutRaw`, which is larger if the next smaller input would pay less than requested.
 */
export type PricedExactOut = PricedConversion & {
  /** The smallest input that pays the output, in raw units of the route's first token. */
  readonly amountInRaw: bigint
  /**
   * The function that pays the output. For pools that are not priced locally, only the output of an exact input is
   * known.
   */
  readonly execution: 'target-swap' | 'origin-swap'
}

async function searchInput(
  reader: Reader,
  { snapshot: { block }, route }: priceAtBlock.Options,
  amountOutRaw: bigint,
): Promise<PricedExactOut> {
  Route.assertPriceable(route, amountOutRaw, block.timestampSeconds)
  const found = await searchRoute(reader, block, { route, outputRaw: Route.fromWorstCaseOut(route, amountOutRaw) })
  if (typeof found.outcome !== 'bigint') throw found.outcome ?? aboveRouteLimit(route, found.inputRaw)
  const worstCaseOutRaw = Route.toWorstCaseOut(route, found.outcome)
  return { amountInRaw: found.inputRaw, amountOutRaw, worstCaseOutRaw, execution: 'origin-swap', route, block }
}

type Output = { readonly route: Route.Route; readonly outputRaw: bigint }

/** Finds the smallest input that pays an output. @throws `svc/above-max-origin` if the last pool holds less */
async function searchRoute(
  reader: Reader,
  block: Head,
  { route, outputRaw }: Output,
): Promise<findSmallestInput.Found> {
  const hops = PricedRoute.from(route)
  const { reserve } = Route.getTarget(route)
  const oracleGuessRaw = guessInput(hops, outputRaw)
  if (outputRaw > reserve) throw aboveRouteLimit(route, oracleGuessRaw)
  const guessRaw = route.length > 1 ? await searchEach(reader, block, { route, outputRaw }) : undefined
  return await findSmallestInput((amountsInRaw) => viewRoute(reader, block, { route, amountsInRaw }), {
    outputRaw,
    guessRaw: guessRaw ?? oracleGuessRaw,
    beyondRaw: guessInput(hops, maxReserveMultiple * reserve),
    valueOf: (inputRaw) => PricedRoute.valueAtOracles(hops, inputRaw),
  })
}

/**
 * Finds the smallest input of each pool, from the last pool to the first. The input of a pool is the output that the
 * previous pool must pay. Returns the input of the first pool; undefined if a pool refuses.
 *
 * This takes far fewer views than a search over all pools together, because the output of each pool is known exactly.
 */
async function searchEach(reader: Reader, block: Head, { route, outputRaw }: Output): Promise<bigint | undefined> {
  let amountRaw = outputRaw
  for (const hop of route.toReversed()) {
    if (amountRaw > hop.target.reserve) return undefined
    const found = await searchRoute(reader, block, { route: [hop], outputRaw: amountRaw })
    if (typeof found.outcome !== 'bigint') return undefined
    amountRaw = found.inputRaw
  }
  return amountRaw
}

// A pool that takes more than this many times its reserve for an output below its reserve is far from any market price.
const maxReserveMultiple = 16n

function aboveRouteLimit(route: Route.Route, amountInRaw: bigint): ServiceError {
  return PoolErrors.aboveLimit(Route.getOrigin(route).token, amountInRaw)
}

/**
 * Returns the input that pays an output at the oracle prices and the fees of the pools, in raw units. The result fits a
 * word.
 */
function guessInput(hops: PricedRoute.PricedRoute, outputRaw: bigint): bigint {
  const guessRaw = hops.toReversed().reduce((amountRaw, hop) => guessInputOfHop(hop, amountRaw), outputRaw)
  return guessRaw < largestRaw ? guessRaw : largestRaw
}

const largestRaw = 2n ** 255n

const [wad, dollar] = [10n ** 18n, 10n ** 8n]

function guessInputOfHop(hop: PricedRoute.Hop, outputRaw: bigint): bigint {
  // The DFX family rounds the paid dollars to the decimals of the token.
  const dollarsRaw = Integer.ceilDiv(outputRaw * hop.tokenOutAnswer, dollar)
  const keptWad = hop.epsilon < wad ? wad - hop.epsilon : wad
  const numerator = dollarsRaw * wad * dollar * 10n ** BigInt(hop.decimalsIn)
  return Integer.ceilDiv(numerator, keptWad * hop.tokenInAnswer * 10n ** BigInt(hop.decimalsOut))
}
