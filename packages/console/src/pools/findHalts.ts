import type { ConvertLadder, PoolDetails } from '@agio/sdk'
import { valueAmount, type PoolValue } from './valuePool.ts'

/** The range in which conversions can move the weight of the first token, as shares of the pool's value. */
export type Halts = {
  /** The smallest share, reached by paying the second token. */
  readonly low: Share
  /** The largest share, reached by paying the first token. */
  readonly high: Share
  /** The largest input of each token. */
  readonly maxAmountIn: { readonly token0: string; readonly token1: string }
}

/** An exact share as a fraction. */
export type Share = { readonly part: bigint; readonly whole: bigint }

/**
 * Finds the halts of a pool. Our pools compute their largest inputs from their halts, so the inputs show them. For a
 * pool that is priced on chain, the reserves after its largest conversions show them. Returns undefined if neither is
 * known.
 *
 * @param ladders the outputs for amounts of the first token and of the second token
 */
export function findHalts(
  pool: Pick<PoolDetails, 'maxAmountIn'>,
  value: PoolValue,
  ladders: Ladders,
): Halts | undefined {
  if (value.totalRaw === 0n) return undefined
  if (pool.maxAmountIn) return findByInputs(value, pool.maxAmountIn)
  const [first, second] = [findLargest(ladders[0]), findLargest(ladders[1])]
  if (!first || !second) return undefined
  const [{ valueRaw: value0, usd: usd0 }, { valueRaw: value1, usd: usd1 }] = value.sides
  return {
    high: toShareOf(value0 + valueAmount(first.amountIn, usd0), value1 - valueAmount(first.amountOut, usd1)),
    low: toShareOf(value0 - valueAmount(second.amountOut, usd0), value1 + valueAmount(second.amountIn, usd1)),
    maxAmountIn: { token0: first.amountIn, token1: second.amountIn },
  }
}

type Ladders = readonly [Ladder | undefined, Ladder | undefined]
type Ladder = Pick<ConvertLadder, 'rows'>

/** Finds the halts of our pools, which stop at the same share of the value on either side. */
function findByInputs({ sides, totalRaw }: PoolValue, maxAmountIn: Halts['maxAmountIn']): Halts {
  const [{ valueRaw, usd: usd0 }, { usd: usd1 }] = sides
  const [room0, room1] = [valueAmount(maxAmountIn.token0, usd0), valueAmount(maxAmountIn.token1, usd1)]
  // A side without room is at or beyond its halt, so its halt follows from the halt of the other side.
  const high = room0 > 0n ? valueRaw + room0 : totalRaw - valueRaw + room1
  const low = room1 > 0n ? valueRaw - room1 : totalRaw - high
  return { high: { part: high, whole: totalRaw }, low: { part: low, whole: totalRaw }, maxAmountIn }
}

function findLargest(ladder: Ladder | undefined) {
  const row = ladder?.rows.findLast(({ amountOut }) => amountOut !== undefined)
  return row?.amountOut === undefined ? undefined : { amountIn: row.amountIn, amountOut: row.amountOut }
}

function toShareOf(part: bigint, other: bigint): Share {
  return { part, whole: part + other }
}
