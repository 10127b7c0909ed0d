import type { AgioApi } from '../api/AgioApi.ts'
import type { Quote } from '../api/schemas.ts'
import type { CallOptions } from '../api/procedures.ts'
import type { AgioQuote, AgioQuoteData, QuoteRequest } from './AgioQuote.ts'
import { assertQuoted } from './assertQuoted.ts'
import { findQuoteFlaw } from './findQuoteFlaw.ts'

/**
 * Quotes a conversion and checks that the quote matches its request.
 *
 * @throws the errors of `convert.quote`, or `convert/mismatch` for a quote that differs from the request
 */
export async function requestQuote(api: AgioApi, request: QuoteRequest, options?: CallOptions): Promise<AgioQuote> {
  return toAgioQuote(api, request, await api.convert.quote.query(request, options))
}

/**
 * Checks a quote against its request and returns it.
 *
 * @throws `convert/mismatch` for a quote that differs from the request
 */
export function toAgioQuote(api: AgioApi, request: QuoteRequest, quote: Quote): AgioQuote {
  assertQuoted(request, quote)
  const data: AgioQuoteData = { ...quote, chainId: request.chainId, request: { ...request } }
  const refresh: AgioQuote['refresh'] = async (renewal) => await refreshQuote(api, data, renewal)
  // Not enumerable, so that JSON and `structuredClone` copy only the data.
  return Object.defineProperty(data, 'refresh', { value: refresh }) as AgioQuote
}

/**
 * Requotes the request of a quote at current prices and keeps the accepted limit.
 *
 * @throws the errors of `requestQuote`; `svc/below-min-target` or `svc/above-max-input` if the market is beyond the
 * limit
 */
export async function refreshQuote(api: AgioApi, quote: AgioQuoteData, options?: CallOptions): Promise<AgioQuote> {
  const flaw = findQuoteFlaw(quote)
  if (flaw !== undefined) throw new TypeError(`Cannot renew the quote: ${flaw}`)
  return await requestQuote(api, toRenewal(quote), options)
}

function toRenewal({ request, minAmountOut, maxAmountIn }: AgioQuoteData): QuoteRequest {
  const { slippageBps: _, ...same } = request
  // The accepted limit is the limit of the request. The quote may have a tighter limit.
  return same.amountIn === undefined
    ? { ...same, maxAmountIn: same.maxAmountIn ?? maxAmountIn }
    : { ...same, minAmountOut: same.minAmountOut ?? minAmountOut }
}
