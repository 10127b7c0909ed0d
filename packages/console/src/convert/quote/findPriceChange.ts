import type { AgioQuoteData } from '@agio/sdk'
import { compareAmounts } from '../../amount/compareAmounts.ts'

/** A price that is worse than the limit that the user has accepted: what is received, or paid, then and now. */
export type PriceChange = {
  readonly mode: AgioQuoteData['mode']
  readonly symbol: string
  readonly from: string
  readonly to: string
}

/**
 * Finds out whether a renewed quote is worse than the limit of the quote that the user has accepted: pays less than its
 * `minAmountOut`, or costs more than its `maxAmountIn`.
 *
 * @returns undefined for a quote that is better or within the limit
 */
export function findPriceChange(accepted: Terms, renewed: Terms): PriceChange | undefined {
  const { mode } = renewed
  if (mode === 'exact-in') {
    const limit = accepted.minAmountOut ?? accepted.amountOut
    if (compareAmounts(renewed.amountOut, limit) >= 0) return undefined
    return { mode, symbol: renewed.tokenOut.symbol, from: accepted.amountOut, to: renewed.amountOut }
  }
  const limit = accepted.maxAmountIn ?? accepted.amountIn
  if (compareAmounts(renewed.amountIn, limit) <= 0) return undefined
  return { mode, symbol: renewed.tokenIn.symbol, from: accepted.amountIn, to: renewed.amountIn }
}

type Terms = Pick<AgioQuoteData, 'mode' | 'amountIn' | 'amountOut' | 'minAmountOut' | 'maxAmountIn'> & {
  readonly tokenIn: Pick<AgioQuoteData['tokenIn'], 'symbol'>
  readonly tokenOut: Pick<AgioQuoteData['tokenOut'], 'symbol'>
}
