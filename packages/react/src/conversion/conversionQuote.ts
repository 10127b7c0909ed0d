import type { AgioQuoteData, QuoteRequest } from '@agio/sdk'
import * as Decimal from '../amount/Decimal.ts'

/**
 * Returns the title of a conversion from the user's request: `100 tAUD → tUSD`, or `tAUD → 64 tUSD` for an exact
 * output.
 */
export function toConversionTitle({ mode, amountIn, amountOut, tokenIn, tokenOut }: TitleTerms): string {
  return mode === 'exact-out'
    ? `${tokenIn.symbol} → ${nameAmount(amountOut, tokenOut)}`
    : `${nameAmount(amountIn, tokenIn)} → ${tokenOut.symbol}`
}

type TitleTerms = Pick<AgioQuoteData, 'mode' | 'amountIn' | 'amountOut' | 'tokenIn' | 'tokenOut'>

/** Formats an amount for a sentence: `1,000.5 tAUD`. */
export function nameAmount(amount: string, { symbol }: { readonly symbol: string }): string {
  return `${Decimal.format(Decimal.trim(amount))} ${symbol}`
}

/** Formats the limit of a quote: `at least 64.9 tUSD`, or `at most 100.1 tAUD` for an exact output. */
export function nameLimit(quote: AgioQuoteData): string {
  return quote.mode === 'exact-out'
    ? `at most ${nameAmount(quote.maxAmountIn, quote.tokenIn)}`
    : `at least ${nameAmount(quote.minAmountOut, quote.tokenOut)}`
}

/** Returns the request for a new quote at current prices. It replaces the old limit with a tolerance. */
export function toNewRequest({ request }: Pick<AgioQuoteData, 'request'>): QuoteRequest {
  const { minAmountOut: _, maxAmountIn: __, ...same } = request
  return same
}
