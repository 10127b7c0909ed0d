import type { AgioApi } from './api/AgioApi.ts'
import type { CallOptions } from './api/procedures.ts'
import type { AgioOptions } from './client/AgioOptions.ts'
import { createCaller } from './client/createCaller.ts'
import type { AgioQuote, AgioQuoteData, QuoteRequest } from './quote/AgioQuote.ts'
import { refreshQuote, requestQuote } from './quote/requestQuote.ts'

/**
 * Creates the client of a service.
 *
 * @throws TypeError for a URL that has a key or credentials, and for two keys
 *
 * @example
 * const agio = createAgio({ url: 'https://agio.example', apiKey: process.env.AGIO_API_KEY })
 * const { pools } = await agio.api.pools.list.query({ chainId: 84532 })
 */
export function createAgio(options: AgioOptions): Agio {
  const api = createCaller({ ...options, key: toKey(options) }) as AgioApi
  return {
    api,
    quote: async (request, call) => await requestQuote(api, request, call),
    refresh: async (quote, call) => await refreshQuote(api, quote, call),
  }
}

/** The client of a service. */
export type Agio = {
  /** All operations, as a typed tRPC client: `agio.api.pools.list.query(input, { signal })`. */
  readonly api: AgioApi
  /**
   * Quotes a conversion of an exact amount to pay or to receive, and compares the quote with the request.
   *
   * @throws `AgioError`, of `convert.quote` of the service, or `convert/mismatch` for a quote of something else
   *
   * @example
   * const quote = await agio.quote({ chainId: 84532, tokenIn, tokenOut, amountIn: '100' })
   * console.log(`${quote.amountOut} ${quote.tokenOut.symbol}, at least ${quote.minAmountOut}`)
   */
  quote(request: QuoteRequest, options?: CallOptions): Promise<AgioQuote>
  /**
   * Renews a quote, also one that was stored as JSON, at the limit that was accepted.
   *
   * @throws `AgioError`, with `svc/below-min-target` or `svc/above-max-input` if the market is beyond the limit
   *
   * @example
   * const renewed = await agio.refresh(JSON.parse(stored))
   */
  refresh(quote: AgioQuote | AgioQuoteData, options?: CallOptions): Promise<AgioQuote>
}

function toKey({ apiKey, getApiKey }: AgioOptions): createCaller.Key | undefined {
  if (apiKey !== undefined && getApiKey) throw new TypeError('Cannot use both apiKey and getApiKey')
  const get = apiKey === undefined ? getApiKey : () => apiKey
  return get && { header: 'x-api-key', get }
}
