import type { QuoteConversionInput } from '../api/AgioApi.ts'
import type { CallOptions } from '../api/procedures.ts'
import type { ChainId, Quote } from '../api/schemas.ts'
import { isObject } from '../errors/isObject.ts'

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

/**
 * A quote as plain JSON, with its request. It can be stored, or sent to another thread or process. Its `mode` narrows its
 * limit: `minAmountOut` of an exact input, `maxAmountIn` of an exact output.
 */
export type AgioQuoteData = Omit<Quote, 'mode' | LimitField> & {
  readonly chainId: ChainId
  readonly request: QuoteRequest
} & (ExactInLimit | ExactOutLimit)

type ExactInLimit = {
  readonly mode: 'exact-in'
  /** Smallest amount to receive. */
  readonly minAmountOut: string
  readonly maxAmountIn?: undefined
}

type ExactOutLimit = {
  readonly mode: 'exact-out'
  /** Largest amount to pay, which is the amount to approve. */
  readonly maxAmountIn: string
  readonly minAmountOut?: undefined
}

/** A quote that can renew itself. As JSON it is an `AgioQuoteData`, which `agio.refresh` renews. */
export type AgioQuote = AgioQuoteData & {
  /**
   * Requotes at current prices and keeps the accepted `minAmountOut` or `maxAmountIn`.
   *
   * @throws `svc/below-min-target` or `svc/above-max-input` if the market is beyond the limit
   *
   * @example
   * if (Date.parse(quote.expiresAt) < Date.now()) quote = await quote.refresh()
   */
  refresh(options?: CallOptions): Promise<AgioQuote>
}

/**
 * Returns the reason why a value is not a quote of this package, or undefined. Only the fields that are read before the
 * first request are checked.
 */
export function findQuoteFlaw(value: unknown): string | undefined {
  if (!isObject(value)) return value === undefined ? 'it is missing' : 'it is not an object'
  if (typeof value['then'] === 'function') return 'it is a promise. Await it first'
  const texts = ['quote', 'expiresAt', 'spender', 'mode'] as const satisfies readonly (keyof AgioQuoteData)[]
  const missing = texts.find((name) => typeof value[name] !== 'string')
  if (missing) return `it has no ${missing}`
  const tokens = ['tokenIn', 'tokenOut'] as const
  const token = tokens.find((name) => !isObject(value[name]) || typeof value[name]['address'] !== 'string')
  if (token) return `it has no ${token}`
  if (typeof value['chainId'] !== 'number') return 'it has no chainId'
  if (!Array.isArray(value['route'])) return 'it has no route'
  return isObject(value['request']) ? undefined : 'it has no request. Use a quote from `agio.quote`'
}

/** Returns a copy of a quote as plain JSON. @throws TypeError for a value that is not a quote */
export function toPlainQuote(quote: AgioQuoteData): AgioQuoteData {
  const flaw = findQuoteFlaw(quote)
  if (flaw !== undefined) throw new TypeError(`Cannot use the quote: ${flaw}`)
  // Transactions are searched for from this block on.
  if (!Number.isSafeInteger(quote.blockNumber))
    throw new TypeError('Cannot use the quote: its blockNumber is not whole')
  return JSON.parse(JSON.stringify(quote)) as AgioQuoteData
}
