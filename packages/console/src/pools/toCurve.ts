import { Decimal } from '@agio/react/internal'
import type { ConvertLadder, LadderRow } from '@agio/sdk'
import { toPosition, toShare } from '../plot/scale.ts'

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
export function listEvenAmounts({ rows, tokenIn: { decimals } }: Ladder): readonly string[] | undefined {
  const largest = rows.findLast(({ amountOut }) => amountOut !== undefined)
  if (!largest) return undefined
  const maxRaw = Decimal.toRaw(largest.amountIn, decimals)
  const amounts = Array.from({ length: Number(count) }, (_, index) => (maxRaw * BigInt(index + 1)) / count)
  return [...new Set(amounts)].filter((raw) => raw > 0n).map((raw) => Decimal.fromRaw(raw, decimals))
}

type Ladder = Pick<ConvertLadder, 'rows' | 'tokenIn'>
