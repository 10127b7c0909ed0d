import type { AgioApi } from '../api/AgioApi.ts'
import type { Quote } from '../api/schemas.ts'
import type { CallOptions } from '../api/procedures.ts'
import { findQuoteFlaw, type AgioQuote, type AgioQuoteData, type QuoteRequest } from './AgioQuote.ts'
import { clientError } from '../errors/AgioError.ts'
import * as Decimal from './Decimal.ts'

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

/**
 * Asserts that a quote matches its request: the mode, tokens, fixed amount, pool and limit.
 *
 * @throws `convert/mismatch` with the first field that differs
 */
function assertQuoted(request: QuoteRequest, quote: Quote): void {
  for (const { field, expected, actual = 'missing', isSame = isSameText } of listTerms(request, quote)) {
    if (expected === undefined || isSame(actual, expected)) continue
    const message = `Cannot use the quote: its ${field} is ${actual}, not ${expected}`
    throw clientError('convert/mismatch', message, { field, expected, actual })
  }
}

type Term = {
  readonly field: string
  /** Undefined if the request does not fix it. */
  readonly expected: string | undefined
  readonly actual: string | undefined
  /** Compares two values. Default: ignores letter case, because addresses differ in it. */
  readonly isSame?: (actual: string, expected: string) => boolean
}

function listTerms(request: QuoteRequest, quote: Quote): readonly Term[] {
  const { tokenIn, tokenOut, route } = quote
  const pools = route.map(({ address }) => address).join(', ')
  return [
    { field: 'mode', expected: request.amountIn === undefined ? 'exact-out' : 'exact-in', actual: quote.mode },
    { field: 'tokenIn', expected: request.tokenIn, actual: tokenIn.address },
    { field: 'tokenOut', expected: request.tokenOut, actual: tokenOut.address },
    { field: 'route', expected: request.tokenIn, actual: route[0]?.tokenIn.address },
    { field: 'route', expected: request.tokenOut, actual: route.at(-1)?.tokenOut.address },
    { field: 'route', expected: request.poolAddress, actual: pools },
    { field: 'amountIn', expected: request.amountIn, actual: quote.amountIn, isSame: isSameAmount },
    { field: 'amountOut', expected: request.amountOut, actual: quote.amountOut, isSame: isSameAmount },
    toLimit(request, quote),
  ]
}

/**
 * Returns the term for the limit. The limit may be tighter than requested, which happens if no contract swaps for an
 * exact output. The quoted amounts must be within it.
 */
function toLimit(request: QuoteRequest, { amountIn, amountOut, minAmountOut, maxAmountIn }: Quote): Term {
  if (request.amountIn === undefined) {
    const isSame = (actual: string, maximum: string) => isOrdered([amountIn, actual, maximum])
    return {
      field: 'maxAmountIn',
      expected: request.maxAmountIn ?? maxAmountIn ?? amountIn,
      actual: maxAmountIn,
      isSame,
    }
  }
  const isSame = (actual: string, minimum: string) => isOrdered([minimum, actual, amountOut])
  return {
    field: 'minAmountOut',
    expected: request.minAmountOut ?? minAmountOut ?? amountOut,
    actual: minAmountOut,
    isSame,
  }
}

function isSameText(actual: string, expected: string): boolean {
  return actual.toLowerCase() === expected.toLowerCase()
}

function isSameAmount(actual: string, expected: string): boolean {
  return isOrdered([actual, expected, actual])
}

/** Returns whether the amounts do not decrease. False if a text is not an amount. */
function isOrdered(amounts: readonly string[]): boolean {
  const raws = amounts.map((amount) => Decimal.parse(amount, maxDecimals))
  return raws.every((raw, index) => raw !== undefined && raw >= (raws[index - 1] ?? 0n))
}

// More decimals than any token has.
const maxDecimals = 80
