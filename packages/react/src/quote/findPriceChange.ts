import type { AgioQuoteData } from '@agio/sdk'
import * as Decimal from '../amount/Decimal.ts'

/** A price beyond the accepted limit: the old and the new amount to receive or pay. */
export type PriceChange = {
  readonly mode: AgioQuoteData['mode']
  readonly symbol: string
  readonly from: string
  readonly to: string
}

/**
 * Returns the price change if a renewed quote is beyond the accepted limit: it pays less than `minAmountOut`, or costs
 * more than `maxAmountIn`.
 *
 * @returns undefined for a quote that is better or within the limit
 */
export function findPriceChange(accepted: Terms, renewed: Terms): PriceChange | undefined {
  const { mode } = renewed
  if (mode === 'exact-in') {
    const limit = accepted.minAmountOut ?? accepted.amountOut
    if (Decimal.compare(renewed.amountOut, limit) >= 0) return undefined
    return { mode, symbol: renewed.tokenOut.symbol, from: accepted.amountOut, to: renewed.amountOut }
  }
  const limit = accepted.maxAmountIn ?? accepted.amountIn
  if (Decimal.compare(renewed.amountIn, limit) <= 0) return undefined
  return { mode, symbol: renewed.tokenIn.symbol, from: accepted.amountIn, to: renewed.amountIn }
}

type Terms = Pick<AgioQuoteData, 'mode' | 'amountIn' | 'amountOut' | 'minAmountOut' | 'maxAmountIn'> & {
  readonly tokenIn: Pick<AgioQuoteData['tokenIn'], 'symbol'>
  readonly tokenOut: Pick<AgioQuoteData['tokenOut'], 'symbol'>
}
