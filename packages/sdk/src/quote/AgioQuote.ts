import type { QuoteConversionInput } from '../api/AgioApi.ts'
import type { CallOptions } from '../api/procedures.ts'
import type { ChainId, Quote } from '../api/schemas.ts'

/** A conversion to quote: the chain, the tokens, and either the amount to pay or the amount to receive. */
export type QuoteRequest = Omit<QuoteConversionInput, 'chainId' | 'amountIn' | 'amountOut'> & {
  readonly chainId: ChainId
} & (
    | { readonly amountIn: string; readonly amountOut?: undefined }
    | { readonly amountOut: string; readonly amountIn?: undefined }
  )

/** A quote as plain JSON, with the request that it is of. */
export type AgioQuoteData = Quote & {
  readonly chainId: ChainId
  readonly request: QuoteRequest
}

/** A quote that can be asked for again. */
export type AgioQuote = AgioQuoteData & {
  /** Quotes the same request at the market of now, and never below the limit that was accepted. */
  refresh(options?: CallOptions): Promise<AgioQuote>
}
