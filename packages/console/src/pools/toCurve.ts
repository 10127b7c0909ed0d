import type { ConvertLadder, LadderRow } from '@agio/sdk'
import { toRaw } from '../amount/rawUnits.ts'
import { toPosition } from '../plot/toPosition.ts'
import { toShare } from '../plot/toShare.ts'

// Of fewer raw units, one is more than 0.01 %.
const fewRaw = 10_000n
// Room around the line, and the smallest height of the picture, in percent.
const padding = 0.15
const smallestHeight = 0.05

/** What sizes of a conversion pay against the oracles' rate. */
export type Curve = {
  /** In ascending order of their amounts. */
  readonly points: readonly CurvePoint[]
  /** The sizes, as numbers for the picture. */
  readonly sizes: Range
  /** The percentages that the picture shows. Those of tiny sizes, where rounding decides, may be below. */
  readonly percents: Range
  /** The smallest size where one raw unit of either amount is at most 0.01 % of it; undefined if there is none. */
  readonly firstPrecise: number | undefined
}

export type Range = { readonly min: number; readonly max: number }

export type CurvePoint = {
  readonly row: LadderRow
  /** The amount, as a number for the picture. */
  readonly size: number
  /** The rate against that of the oracles; undefined for a row with an error. */
  readonly rate?: RelativeRate
}

/** A rate as its difference from that of the oracles. */
type RelativeRate = {
  /** The difference, in parts of `whole`. */
  readonly part: bigint
  readonly whole: bigint
  /** The same in percent, as a number for the picture. */
  readonly percent: number
  /** Whether one raw unit of either amount is more than 0.01 % of it. */
  readonly isRough: boolean
}

/** Compares the rates of a ladder with that of the oracles, exactly; undefined if it has no row that pays anything. */
export function toCurve({
  rows,
  tokenIn,
  tokenOut,
}: Pick<ConvertLadder, 'rows' | 'tokenIn' | 'tokenOut'>): Curve | undefined {
  const toInRaw = (amount: string) => toRaw(amount, tokenIn.decimals)
  const toOutRaw = (amount: string) => toRaw(amount, tokenOut.decimals)
  // The largest amount has the most digits of the oracles' rate.
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
