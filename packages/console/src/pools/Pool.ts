import { Decimal } from '@agio/react/internal'
import type { ConvertLadder, LadderRow, Pool, PoolDetails, TokenReference } from '@agio/sdk'
import { toPosition, toShare } from '../plot/Plot.tsx'
import type { Tone } from '../ui/Notice.tsx'

// Prices have eight fractional digits. Tokens of the networks have at most 24 decimals.
const priceDecimals = 8
const amountDecimals = 24

/** Fractional digits of the values that `valueAmount` returns. */
export const valueDecimals = priceDecimals + amountDecimals

/** Returns the exact value of an amount at a price in US dollars, in units of 10^-32 dollars. */
function valueAmount(amount: string, usd: string): bigint {
  return Decimal.toRaw(amount, amountDecimals) * Decimal.toRaw(usd, priceDecimals)
}

/** The value of a pool's reserves at oracle prices. */
export type PoolValue = {
  readonly sides: readonly [SideValue, SideValue]
  /** The sum of `valueRaw` of both sides. */
  readonly totalRaw: bigint
}

type SideValue = {
  readonly token: TokenReference
  readonly reserve: string
  /** The price in US dollars. */
  readonly usd: string
  /** The value in units of 10^-32 dollars. */
  readonly valueRaw: bigint
}

/** Returns the exact value of a pool's reserves. */
export function valuePool({ token0, token1, reserves }: Reserves, prices: Prices): PoolValue {
  const toSide = (token: TokenReference, reserve: string, { usd }: Price): SideValue => ({
    token,
    reserve,
    usd,
    valueRaw: valueAmount(reserve, usd),
  })
  const sides = [
    toSide(token0, reserves.token0, prices.token0),
    toSide(token1, reserves.token1, prices.token1),
  ] as const
  return { sides, totalRaw: sides[0].valueRaw + sides[1].valueRaw }
}

type Reserves = Pick<Pool, 'token0' | 'token1' | 'reserves'>
type Price = { readonly usd: string }
type Prices = { readonly token0: Price; readonly token1: Price }

/** The description of a pool's state. */
export type PoolDescription = {
  readonly name: string
  readonly tone: Tone
  readonly words: string
  /** Whether the pool has stopped converting. */
  readonly isStopped: boolean
  /** Whether the pool has its own curve, so that the service reads its prices from the chain. */
  readonly isPricedOnChain: boolean
}

/** Describes whether a pool converts and how it prices. */
export function describePool({ isFrozen, oracles, maxAmountIn }: PoolState, curves: Curves): PoolDescription {
  if (isFrozen) return states.frozen
  if (oracles.token0.stale || oracles.token1.stale) return states.unpriced
  if (maxAmountIn) return states.open
  if (curves.hasAny) return states.onChain
  return curves.hasFailed ? states.unknown : states.reading
}

type PoolState = {
  readonly isFrozen: boolean
  readonly oracles: { readonly [Side in keyof PoolDetails['oracles']]: { readonly stale: boolean } }
  readonly maxAmountIn?: PoolDetails['maxAmountIn']
}

type Curves = {
  /** Whether any curve was read. */
  readonly hasAny: boolean
  /** Whether any curve could not be read. */
  readonly hasFailed: boolean
}

const isOpen = { isStopped: false, isPricedOnChain: false } as const
const isStopped = { isStopped: true, isPricedOnChain: false } as const

const states = {
  frozen: {
    name: 'Frozen',
    tone: 'danger',
    words: 'The owner of the pool has stopped all conversions. Withdrawals stay possible.',
    ...isStopped,
  },
  unpriced: {
    name: 'Price not accepted',
    tone: 'warning',
    words: 'A price is too old or implausible, so the pool converts nothing. The curve says why.',
    ...isStopped,
  },
  open: {
    name: 'Open',
    tone: 'positive',
    words: 'The pool converts any size up to its halts, at market rate less its fee.',
    ...isOpen,
  },
  onChain: {
    name: 'Open, priced on chain',
    tone: 'positive',
    words:
      'The pool has its own curve: the more a conversion unbalances the reserves, the less it pays. The service reads each price from the pool.',
    isStopped: false,
    isPricedOnChain: true,
  },
  reading: { name: 'Reading', tone: 'neutral', words: 'Loading the state of the pool.', ...isOpen },
  unknown: { name: 'Unknown', tone: 'neutral', words: 'The state of the pool could not be read.', ...isOpen },
} as const satisfies Readonly<Record<string, PoolDescription>>

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

// One raw unit of a smaller amount is more than 0.01 %.
const fewRaw = 10_000n
// Padding around the line and minimum height of the plot, in percent.
const padding = 0.15
const smallestHeight = 0.05

/** The rates of conversions by size, relative to the oracles' rate. */
export type Curve = {
  /** The points by ascending amount. */
  readonly points: readonly CurvePoint[]
  /** The range of sizes, as numbers for the plot. */
  readonly sizes: Range
  /** The range of percentages in the plot. Tiny sizes, where rounding dominates, may be below it. */
  readonly percents: Range
  /** The smallest size where one raw unit is at most 0.01 % of both amounts. Undefined without such a size. */
  readonly firstPrecise: number | undefined
}

/** A range of numbers, both ends included. */
export type Range = { readonly min: number; readonly max: number }

/** The point of one row of a ladder. */
export type CurvePoint = {
  readonly row: LadderRow
  /** The amount, as a number for the plot. */
  readonly size: number
  /** The rate relative to the oracles' rate. Undefined for a row with an error. */
  readonly rate?: RelativeRate
}

/** The difference between a rate and the oracles' rate. */
type RelativeRate = {
  /** The difference, in parts of `whole`. */
  readonly part: bigint
  readonly whole: bigint
  /** The difference in percent, as a number for the plot. */
  readonly percent: number
  /** Whether one raw unit is more than 0.01 % of either amount. */
  readonly isRough: boolean
}

/** Compares the rates of a ladder with the oracles' rate, exactly. Returns undefined without a convertible row. */
export function toCurve({
  rows,
  tokenIn,
  tokenOut,
}: Pick<ConvertLadder, 'rows' | 'tokenIn' | 'tokenOut'>): Curve | undefined {
  const toInRaw = (amount: string) => Decimal.toRaw(amount, tokenIn.decimals)
  const toOutRaw = (amount: string) => Decimal.toRaw(amount, tokenOut.decimals)
  // The largest amount gives the oracles' rate with the most digits.
  const largest = rows.findLast(
    ({ oracleAmountOut }) => oracleAmountOut !== undefined && toOutRaw(oracleAmountOut) > 0n,
  )
  if (largest?.oracleAmountOut === undefined) return undefined
  const oracle = { inRaw: toInRaw(largest.amountIn), outRaw: toOutRaw(largest.oracleAmountOut) }
  const points = rows.map((row): CurvePoint => {
    const size = toPosition(row.amountIn)
    if (row.amountOut === undefined) return { row, size }
    const [inRaw, outRaw] = [toInRaw(row.amountIn), toOutRaw(row.amountOut)]
    const whole = inRaw * oracle.outRaw
    const part = outRaw * oracle.inRaw - whole
    const isRough = inRaw < fewRaw || outRaw < fewRaw
    return { row, size, rate: { part, whole, percent: 100 * toShare(part, whole), isRough } }
  })
  return { points, ...measure(points) }
}

function measure(points: readonly CurvePoint[]): Omit<Curve, 'points'> {
  const sizes = points.map(({ size }) => size).filter((size) => size > 0)
  const rated = points.flatMap(({ rate }) => rate ?? [])
  const precise = rated.filter(({ isRough }) => !isRough)
  const percents = [0, ...(precise.length > 0 ? precise : rated).map(({ percent }) => percent)]
  const [min, max] = [Math.min(...percents), Math.max(...percents)]
  const room = Math.max(max - min, smallestHeight) * padding
  return {
    sizes: { min: Math.min(...sizes), max: Math.max(...sizes) },
    percents: { min: Math.min(min, -smallestHeight) - room, max: max + room },
    firstPrecise: points.find(({ rate }) => rate && !rate.isRough)?.size,
  }
}

// A ladder has at most 50 amounts.
const count = 50n

/**
 * Lists evenly spaced amounts up to the largest convertible amount of a ladder, in ascending order. Returns undefined
 * if the ladder has no convertible amount.
 */
export function listEvenAmounts({
  rows,
  tokenIn: { decimals },
}: Pick<ConvertLadder, 'rows' | 'tokenIn'>): readonly string[] | undefined {
  const largest = rows.findLast(({ amountOut }) => amountOut !== undefined)
  if (!largest) return undefined
  const maxRaw = Decimal.toRaw(largest.amountIn, decimals)
  const amounts = Array.from({ length: Number(count) }, (_, index) => (maxRaw * BigInt(index + 1)) / count)
  return [...new Set(amounts)].filter((raw) => raw > 0n).map((raw) => Decimal.fromRaw(raw, decimals))
}
