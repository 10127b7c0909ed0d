import type { AgioQuoteData, QuoteRequest } from '@agio/sdk'

/** Returns the request for a new quote at current prices. It replaces the old limit with a tolerance. */
export function toNewRequest({ request }: Pick<AgioQuoteData, 'request'>): QuoteRequest {
  const { minAmountOut: _, maxAmountIn: __, ...same } = request
  return same
}
