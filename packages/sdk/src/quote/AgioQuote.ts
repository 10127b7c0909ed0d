import type { QuoteConversionInput } from '../api/AgioApi.ts'
import type { CallOptions } from '../api/procedures.ts'
import type { ChainId, Quote } from '../api/schemas.ts'

/**
 * A conversion to quote: the chain, the tokens, and either the amount to pay or the amount to receive, in whole tokens.
 *
 * @example
 * const request: QuoteRequest = { chainId: 84532, tokenIn, tokenOut, amountIn: '100', slippageBps: 10 }
 */
export type QuoteRequest = Omit<QuoteConversionInput, 'chainId' | 'amountIn' | 'amountOut' | LimitField> & {
  readonly chainId: ChainId
} & (ExactIn | ExactOut)

type LimitField = 'minAmountOut' | 'maxAmountIn'

type ExactIn = {
  /** Amount to pay. */
  readonly amountIn: string
  readonly amountOut?: undefined
  /** Smallest amount to receive. Replaces `slippageBps`. */
  readonly minAmountOut?: string | undefined
  readonly maxAmountIn?: undefined
}

type ExactOut = {
  /** Exact amount to receive. */
  readonly amountOut: string
  readonly amountIn?: undefined
  /** Largest amount to pay. Replaces `slippageBps`. */
  readonly maxAmountIn?: string | undefined
  readonly minAmountOut?: undefined
}

/** A quote as plain JSON, with its request. It can be stored, or sent to another thread or process. */
export type AgioQuoteData = Quote & {
  readonly chainId: ChainId
  readonly request: QuoteRequest
}

/** A quote that can renew itself. As JSON it is an `AgioQuoteData`, which `agio.refresh` renews. */
export type AgioQuote = AgioQuoteData & {
  /**
   * Requotes at current prices and keeps the accepted `minAmountOut` or `maxAmountIn`.
   *
   * @throws `svc/below-min-target` or `svc/above-max-input` if the market is beyond the limit
   */
  refresh(options?: CallOptions): Promise<AgioQuote>
}
