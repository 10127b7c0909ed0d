import { Decimal } from '@agio/react/internal'
import type { ReceiptConversion } from '@agio/sdk'
import { toShare } from '../plot/Plot.tsx'

/** The steps from the oracles' amount to the amount received, in raw units of the received token. */
export type Waterfall = {
  readonly oracleRaw: bigint
  readonly steps: readonly WaterfallStep[]
  /** The sum of the oracles' amount and all parts. */
  readonly sumRaw: bigint
  readonly receivedRaw: bigint
}

/** A part with its change. Fees and rounding that reduce the amount are negative. */
type WaterfallStep = {
  readonly part: Part
  readonly changeRaw: bigint
  /** The amount after this step. */
  readonly levelRaw: bigint
}

/** A part of the difference between the oracles' amount and the amount received. */
export type Part = 'priceMove' | 'impact' | 'fee' | 'rounding'

// The receipt states fee and rounding as deducted amounts.
const signs = { priceMove: 1n, impact: 1n, fee: -1n, rounding: -1n } as const

/** Divides the amount received into its parts. Returns undefined if the receipt lacks them. */
export function toWaterfall({ tokenOut, oracleAmountOut, parts, amountOut }: Explained): Waterfall | undefined {
  if (!tokenOut || oracleAmountOut === undefined || !parts || amountOut === undefined) return undefined
  const oracleRaw = Decimal.toRaw(oracleAmountOut, tokenOut.decimals)
  const steps: WaterfallStep[] = []
  let levelRaw = oracleRaw
  for (const part of ['priceMove', 'impact', 'fee', 'rounding'] as const) {
    const changeRaw = signs[part] * Decimal.toRaw(parts[part], tokenOut.decimals)
    levelRaw += changeRaw
    steps.push({ part, changeRaw, levelRaw })
  }
  return { oracleRaw, steps, sumRaw: levelRaw, receivedRaw: Decimal.toRaw(amountOut, tokenOut.decimals) }
}

type Explained = Pick<ReceiptConversion, 'tokenOut' | 'oracleAmountOut' | 'parts' | 'amountOut'>

// Smaller parts are too thin to compare on bars that start at zero.
const smallestSpread = 0.1

/** The bars of a waterfall, with horizontal positions from 0 to 1. */
export type WaterfallLayout = {
  /** The amount at the left edge of the plot, in raw units. */
  readonly fromRaw: bigint
  /** Whether the plot does not start at zero. The lengths of the bars then do not represent the amounts. */
  readonly isCut: boolean
  readonly rows: readonly WaterfallRow[]
}

/** A row of the waterfall with one bar. */
export type WaterfallRow = {
  readonly kind: 'oracle' | Part | 'received'
  /** The change. For the first and the last row, the amount itself. */
  readonly raw: bigint
  /** The left end of the bar, followed by the right end. */
  readonly start: number
  readonly end: number
}

/**
 * Places the bars of a waterfall. If the parts are small compared with the amounts, the plot is cut to the section with
 * all parts, with room on the left for the bars of the amounts.
 */
export function layOutWaterfall({ oracleRaw, steps, receivedRaw }: Waterfall): WaterfallLayout {
  const levels = [oracleRaw, ...steps.map(({ levelRaw }) => levelRaw), receivedRaw]
  const [min, max] = [least(levels), greatest(levels)]
  const spread = max - min
  const isCut = spread > 0n && min > 0n && toShare(spread, max) < smallestSpread
  const fromRaw = isCut ? greatest([0n, min - (spread + 1n) / 2n]) : least([0n, min])
  const toRaw = isCut ? max + (spread + 9n) / 10n : max
  const place = (raw: bigint) => toShare(raw - fromRaw, toRaw - fromRaw)
  const toTotal = (kind: 'oracle' | 'received', raw: bigint): WaterfallRow => ({
    kind,
    raw,
    start: isCut ? 0 : Math.min(place(0n), place(raw)),
    end: isCut ? place(raw) : Math.max(place(0n), place(raw)),
  })
  const parts = steps.map(({ part, changeRaw, levelRaw }): WaterfallRow => {
    const [before, after] = [place(levelRaw - changeRaw), place(levelRaw)]
    return { kind: part, raw: changeRaw, start: Math.min(before, after), end: Math.max(before, after) }
  })
  const rows = [toTotal('oracle', oracleRaw), ...parts, toTotal('received', receivedRaw)]
  return { fromRaw, isCut, rows }
}

function least(values: readonly bigint[]): bigint {
  return values.reduce((left, right) => (right < left ? right : left))
}

function greatest(values: readonly bigint[]): bigint {
  return values.reduce((left, right) => (right > left ? right : left))
}

/** The names of the rows of a waterfall. */
export const partNames = {
  oracle: 'At market rate',
  priceMove: 'Price move',
  impact: 'Price impact',
  fee: 'Fee',
  rounding: 'Rounding',
  received: 'Received',
} as const
