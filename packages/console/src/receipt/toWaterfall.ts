import { Decimal } from '@agio/react/internal'
import type { ReceiptConversion } from '@agio/sdk'

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
