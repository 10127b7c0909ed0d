import { toShare } from '../plot/toShare.ts'
import type { Part, Waterfall } from './toWaterfall.ts'

// Below that, the parts of a bar from zero are too thin to be compared.
const smallestSpread = 0.1

/** The bars of a waterfall, from left to right between 0 and 1. */
export type WaterfallLayout = {
  /** The amounts at both sides of the picture, in raw units. */
  readonly fromRaw: bigint
  readonly toRaw: bigint
  /** Whether the picture begins at another amount than zero: its bars are then no measure of the amounts. */
  readonly isCut: boolean
  readonly rows: readonly WaterfallRow[]
}

export type WaterfallRow = {
  readonly kind: 'oracle' | Part | 'received'
  /** What it changes; of the first and the last row the amount itself. */
  readonly raw: bigint
  /** The ends of the bar, the left one first. */
  readonly start: number
  readonly end: number
  /** Where the next bar begins. */
  readonly level: number
}

/**
 * Places the bars of a waterfall. Where the parts are small beside the amounts, the picture is cut: it shows the section that has
 * all parts, with room at its left for the bars of the amounts.
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
    level: place(raw),
  })
  const parts = steps.map(({ part, changeRaw, levelRaw }): WaterfallRow => {
    const [before, after] = [place(levelRaw - changeRaw), place(levelRaw)]
    return { kind: part, raw: changeRaw, start: Math.min(before, after), end: Math.max(before, after), level: after }
  })
  const rows = [toTotal('oracle', oracleRaw), ...parts, toTotal('received', receivedRaw)]
  return { fromRaw, toRaw, isCut, rows }
}

function least(values: readonly bigint[]): bigint {
  return values.reduce((one, other) => (other < one ? other : one))
}

function greatest(values: readonly bigint[]): bigint {
  return values.reduce((one, other) => (other > one ? other : one))
}
