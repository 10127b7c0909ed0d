import type { AgioQuoteData, QuoteRequest } from '@agio/sdk'

/** Returns the request of a quote for the market of now: its limit is no longer that of the quote, but a tolerance again. */
export function toNewRequest({ request }: Pick<AgioQuoteData, 'request'>): QuoteRequest {
  const { minAmountOut: _, maxAmountIn: __, ...same } = request
  return same
}
