import type { AgioQuoteData } from '@agio/sdk'
import { formatAmount } from '../../amount/formatAmount.ts'
import { trimAmount } from '../../amount/trimAmount.ts'

/**
 * Returns the title of a conversion from the user's request: `100 tAUD → tUSD`, or `tAUD → 64 tUSD` for an exact
 * output.
 */
export function toConversionTitle({ mode, amountIn, amountOut, tokenIn, tokenOut }: AgioQuoteData): string {
  return mode === 'exact-out'
    ? `${tokenIn.symbol} → ${nameAmount(amountOut, tokenOut)}`
    : `${nameAmount(amountIn, tokenIn)} → ${tokenOut.symbol}`
}

/** Formats an amount for a sentence: `1,000.5 tAUD`. */
export function nameAmount(amount: string, { symbol }: { readonly symbol: string }): string {
  return `${formatAmount(trimAmount(amount))} ${symbol}`
}

/** Formats the limit of a quote: `at least 64.9 tUSD`, or `at most 100.1 tAUD` for an exact output. */
export function nameLimit({ minAmountOut, maxAmountIn, amountIn, tokenIn, tokenOut }: AgioQuoteData): string {
  return minAmountOut === undefined
    ? `at most ${nameAmount(maxAmountIn ?? amountIn, tokenIn)}`
    : `at least ${nameAmount(minAmountOut, tokenOut)}`
}
