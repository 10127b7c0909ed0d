import type { ReceiptConversion } from '@agio/sdk'
import { toRaw } from '../amount/rawUnits.ts'

/** The way from the oracles' amount to the amount received, in raw units of the token received. */
export type Waterfall = {
  readonly oracleRaw: bigint
  readonly steps: readonly WaterfallStep[]
  /** What the oracles' amount and all parts come to. */
  readonly sumRaw: bigint
  readonly receivedRaw: bigint
}

/** A part, by what it changes: fees and rounding that take something are negative. */
type WaterfallStep = {
  readonly part: Part
  readonly changeRaw: bigint
  /** What there is after it. */
  readonly levelRaw: bigint
}

export type Part = 'priceMove' | 'impact' | 'fee' | 'rounding'

// Fee and rounding are amounts that were taken.
const signs = { priceMove: 1n, impact: 1n, fee: -1n, rounding: -1n } as const

/** Divides what a conversion received into its parts; undefined if its receipt lacks them. */
export function toWaterfall({ tokenOut, oracleAmountOut, parts, amountOut }: Explained): Waterfall | undefined {
  if (!tokenOut || oracleAmountOut === undefined || !parts || amountOut === undefined) return undefined
  const oracleRaw = toRaw(oracleAmountOut, tokenOut.decimals)
  const steps: WaterfallStep[] = []
  let levelRaw = oracleRaw
  for (const part of ['priceMove', 'impact', 'fee', 'rounding'] as const) {
    const changeRaw = signs[part] * toRaw(parts[part], tokenOut.decimals)
    levelRaw += changeRaw
    steps.push({ part, changeRaw, levelRaw })
  }
  return { oracleRaw, steps, sumRaw: levelRaw, receivedRaw: toRaw(amountOut, tokenOut.decimals) }
}

type Explained = Pick<ReceiptConversion, 'tokenOut' | 'oracleAmountOut' | 'parts' | 'amountOut'>
