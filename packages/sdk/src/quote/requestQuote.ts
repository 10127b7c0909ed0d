import type { AgioApi } from '../api/AgioApi.ts'
import type { Quote } from '../api/schemas.ts'
import type { CallOptions } from '../api/procedures.ts'
import type { AgioQuote, AgioQuoteData, QuoteRequest } from './AgioQuote.ts'
import { assertQuoted } from './assertQuoted.ts'
import { findQuoteFlaw } from './findQuoteFlaw.ts'

/**
 * Quotes a conversion, and compares the quote with its request.
 *
 * @throws what `convert.quote` of the service throws; `convert/mismatch` for a quote of something else
 */
export async function requestQuote(api: AgioApi, request: QuoteRequest, options?: CallOptions): Promise<AgioQuote> {
  return toAgioQuote(api, request, await api.convert.quote.query(request, options))
}

/** Returns a quote of the service, compared with its request. @throws `convert/mismatch` for a quote of something else */
export function toAgioQuote(api: AgioApi, request: QuoteRequest, quote: Quote): AgioQuote {
  assertQuoted(request, quote)
  const data: AgioQuoteData = { ...quote, chainId: request.chainId, request: { ...request } }
  const refresh: AgioQuote['refresh'] = async (renewal) => await refreshQuote(api, data, renewal)
  // Not enumerable: JSON and `structuredClone` take the data alone.
  return Object.defineProperty(data, 'refresh', { value: refresh }) as AgioQuote
}

/**
 * Quotes the request of a quote again, at the limit that was accepted.
 *
 * @throws what `requestQuote` throws, `svc/below-min-target` and `svc/above-max-input` if the market is beyond the limit
 */
export async function refreshQuote(api: AgioApi, quote: AgioQuoteData, options?: CallOptions): Promise<AgioQuote> {
  const flaw = findQuoteFlaw(quote)
  if (flaw !== undefined) throw new TypeError(`Cannot renew the quote: ${flaw}`)
  return await requestQuote(api, toRenewal(quote), options)
}

function toRenewal({ request, minAmountOut, maxAmountIn }: AgioQuoteData): QuoteRequest {
  const { slippageBps: _, ...same } = request
  // The limit of the request is the one that was accepted: the quote may have a tighter one.
  return same.amountIn === undefined
    ? { ...same, maxAmountIn: same.maxAmountIn ?? maxAmountIn }
    : { ...same, minAmountOut: same.minAmountOut ?? minAmountOut }
}
