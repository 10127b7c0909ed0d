import { Integer, Route } from '@agio/core'
import { maxUint256, encodeFunctionData, type Hex } from 'viem'
import type { Head } from '../head/Head.ts'
import type { Reader } from '../reader/createReader.ts'
import type { Snapshot } from '../snapshot/createSnapshots.ts'
import { priceAtBlock, type priceExactIn } from './priceExactIn.ts'
import { tryPrice, type Outcome } from './viewOutcome.ts'
import { viewRoute, readViews, toHops } from './viewRoute.ts'
import { routeReaderAbi } from '../abi/index.ts'
import { decodeResult } from '../reader/decodeResult.ts'

/**
 * Prices many inputs over a route, all at the snapshot's block. Returns the outputs at once unless a pool is priced on
 * chain. In that case one batch of calls reads the views of the pools. If a reorganisation has replaced the block, all
 * inputs are priced at the newest block.
 *
 * If the request has no inputs, the ladder has the requested number of steps, evenly spaced on a logarithmic scale. The
 * steps go from the smallest to the largest input that the route pays for. The ladder has fewer steps if there are fewer
 * inputs, or if pools priced on chain have a lower limit than our maths estimates.
 *
 * @throws `svc/pool-frozen` and `svc/stale-price`, which apply to every input, and `svc/upstream-*`
 */
export function priceLadder(
  dependencies: priceExactIn.Dependencies,
  snapshot: Snapshot,
  options: priceLadder.Options,
): Ladder | Promise<Ladder> {
  const { route } = options
  Route.assertPriceable(route, 1n, snapshot.block.timestampSeconds)
  if (route.every(({ pool }) => pool.pricing !== 'on-chain')) return priceLocally(snapshot.block, options)
  return priceAtBlock(dependencies.snapshots, { snapshot, route }, (subject) =>
    priceOnChain(dependencies.reader, subject.snapshot.block, { ...options, route: subject.route }),
  )
}

export declare namespace priceLadder {
  type Options = { readonly route: Route.Route } & Sizes
}

/** The inputs of a ladder, in raw units of the route's first token, or the number of its steps, at least two. */
type Sizes = { readonly amountsInRaw: readonly bigint[] } | { readonly steps: number }

/** The outputs of many inputs. */
export type Ladder = {
  readonly rows: readonly LadderRow[]
  /**
   * The largest input that the route pays for, and the largest input of the conversion back; undefined if a node could
   * not find it.
   */
  readonly maxInRaw: bigint | undefined
  readonly maxBackRaw: bigint | undefined
  /** The pools at the block. */
  readonly route: Route.Route
  readonly block: Head
}

/** An input in raw units of the route's first token, and its output or refusal. */
type LadderRow = { readonly amountInRaw: bigint; readonly outcome: Outcome }

function priceLocally(block: Head, { route, ...sizes }: priceLadder.Options): Ladder {
  const maxInRaw = Route.findMaxInput(route, block.timestampSeconds)
  const maxBackRaw = Route.findMaxInput(Route.reverse(route), block.timestampSeconds)
  const amountsInRaw = 'steps' in sizes ? listSteps(route, maxInRaw ?? 0n, sizes.steps) : sizes.amountsInRaw
  const rows = amountsInRaw.map((amountInRaw) => {
    return { amountInRaw, outcome: tryPrice(() => Route.priceExactIn(route, amountInRaw, block.timestampSeconds)) }
  })
  return { rows, maxInRaw, maxBackRaw, route, block }
}

function listSteps(route: Route.Route, maxInRaw: bigint, steps: number): readonly bigint[] {
  return Integer.listGeometricSteps({ fromRaw: Route.minInput(route), toRaw: Integer.min(maxInRaw, maxUint256) }, steps)
}

async function priceOnChain(reader: Reader, block: Head, { route, ...sizes }: priceLadder.Options): Promise<Ladder> {
  const hintRaw = estimateLargest(route)
  const amountsInRaw = 'steps' in sizes ? listSteps(route, hintRaw, sizes.steps) : sizes.amountsInRaw
  const back = Route.reverse(route)
  const [outcomes, largest, largestBack] = await Promise.all([
    viewRoute(reader, block, { route, amountsInRaw }),
    findLargestInput(reader, block.hash, { route, hintRaw }),
    findLargestInput(reader, block.hash, { route: back, hintRaw: estimateLargest(back) }),
  ])
  const rows = amountsInRaw.map((amountInRaw, index) => ({ amountInRaw, outcome: outcomes[index] ?? 0n }))
  return {
    rows: 'steps' in sizes ? endAtLargest(rows, largest, sizes.steps) : rows,
    maxInRaw: largest?.amountInRaw,
    maxBackRaw: largestBack?.amountInRaw,
    route,
    block,
  }
}

/**
 * Returns the largest input by our maths. The largest input of pools priced on chain differs, because of their charges
 * beyond the flat zone.
 */
function estimateLargest(route: Route.Route): bigint {
  return Integer.min(Integer.max(Route.minInput(route), Route.maxInput(route)), maxUint256)
}

/**
 * Returns the rows from the first to the last row with an output. The row of the largest input replaces all larger rows.
 */
function endAtLargest(
  rows: readonly LadderRow[],
  largest: LargestInput | undefined,
  steps: number,
): readonly LadderRow[] {
  const isOutput = ({ outcome }: LadderRow) => typeof outcome === 'bigint'
  const paying = rows.slice(rows.findIndex(isOutput), rows.findLastIndex(isOutput) + 1)
  if (!largest || largest.amountInRaw === 0n) return paying
  const below = paying.filter(({ amountInRaw }) => amountInRaw < largest.amountInRaw)
  return [...below.slice(0, steps - 1), { amountInRaw: largest.amountInRaw, outcome: largest.amountOutRaw }]
}

/**
 * Finds the largest input that a route pays for, by the views of its pools at one block, in one call. The route pays
 * nothing for one unit more.
 *
 * @param request.hintRaw an estimate of the input to find; the call costs more gas the less accurate it is
 * @returns undefined with a deployed reader, and if the node does not grant enough gas
 * @throws `svc/upstream-*`
 */
async function findLargestInput(
  reader: Reader,
  blockHash: Hex,
  { route, hintRaw }: { readonly route: Route.Route; readonly hintRaw: bigint },
): Promise<LargestInput | undefined> {
  const target = reader.routeReader
  if (target === undefined) return undefined
  const args = [toHops(route), hintRaw] as const
  const call = { target, data: encodeFunctionData({ abi: routeReaderAbi, functionName: 'largestInput', args }) }
  const [result] = await readViews(reader, blockHash, [call])
  if (result?.success !== true) return undefined
  const [amountInRaw, amountOutRaw] = decodeResult(result, routeReaderAbi, 'largestInput')
  return { amountInRaw, amountOutRaw }
}

/** The largest input and its output, in raw units; zero if the route pays for no input. */
type LargestInput = { readonly amountInRaw: bigint; readonly amountOutRaw: bigint }
