import type { AgioApi } from '../api/AgioApi.ts'
import type { Quote } from '../api/schemas.ts'
import type { CallOptions } from '../api/procedures.ts'
import { AgioError } from '../errors/AgioError.ts'
import { tokenShape } from '../errors/assertAnswer.ts'
import type { Shape } from '../errors/findFlaw.ts'
import { assertShape } from './assertShape.ts'
import { findQuoteFlaw, type AgioQuote, type AgioQuoteData, type QuoteRequest } from './AgioQuote.ts'
import { checkExpiry, checkLimit } from './checkTerms.ts'
import * as Decimal from './Decimal.ts'
import { formatValue, mismatch } from './mismatch.ts'
import { checkPins, type Contracts } from './PinnedContracts.ts'

/**
 * Quotes a conversion and checks that the quote matches its request.
 *
 * @throws the errors of `convert.quote`, `svc/invalid-request` without a request if a token is not a string, or
 * `convert/mismatch` for a quote that differs from the request
 */
export async function requestQuote(
  service: QuoteService,
  request: QuoteRequest,
  options?: CallOptions,
): Promise<AgioQuote> {
  for (const field of ['tokenIn', 'tokenOut'] as const) assertText(field, request?.[field])
  const quote = await service.api.convert.quote.query(request, options)
  return toAgioQuote(service, request, quote)
}

/** The service that quotes, and the contracts that its quotes may use. */
export type QuoteService = { readonly api: AgioApi; readonly contracts: Contracts }

/** @throws `svc/invalid-request` for a value that is not a string, as the service would */
function assertText(field: string, value: unknown): void {
  if (typeof value === 'string') return
  const code = 'svc/invalid-request'
  const message = `${code}: Cannot quote: ${field} is ${formatValue(value)}. Pass the address of the token as a string`
  throw new AgioError(code, message, { details: { field, value }, retryable: false, action: 'fix_input' })
}

/**
 * Checks a quote against its request and returns it.
 *
 * @throws `convert/mismatch` for a quote that differs from the request
 */
export function toAgioQuote(service: QuoteService, request: QuoteRequest, quote: Quote): AgioQuote {
  assertShape('quote', quote, quoteShape)
  assertTerms(listTerms(request, quote))
  // The terms include the mode and its limit.
  const data = { ...quote, chainId: request.chainId, request: { ...request } } as AgioQuoteData
  checkPins(service.contracts, data)
  checkLimit(data)
  // The wallet's node confirms the time of the block before anything is signed.
  checkExpiry(data, Math.max(Date.now(), Date.parse(quote.blockTimestamp) || 0) / 1000)
  const refresh: AgioQuote['refresh'] = async (renewal) => await refreshQuote(service, data, renewal)
  // Not enumerable, so that JSON and `structuredClone` copy only the data.
  return Object.defineProperty(data, 'refresh', { value: refresh }) as AgioQuote
}

/**
 * Requotes the request of a quote at current prices and keeps the accepted limit. Only the amounts within it, the
 * route, the expiry and the text may change.
 *
 * @throws the errors of `requestQuote`; `svc/below-min-target` or `svc/above-max-input` if the market is beyond the
 * limit; `convert/mismatch` for another spender or other decimals
 */
export async function refreshQuote(
  service: QuoteService,
  quote: AgioQuoteData,
  options?: CallOptions,
): Promise<AgioQuote> {
  const flaw = findQuoteFlaw(quote)
  if (flaw !== undefined) throw new TypeError(`Cannot renew the quote: ${flaw}`)
  const request = toRenewal(quote)
  const renewed = await service.api.convert.quote.query(request, options)
  assertShape('quote', renewed, quoteShape)
  assertTerms(listKept(quote, renewed))
  return toAgioQuote(service, request, renewed)
}

function toRenewal({ request, minAmountOut, maxAmountIn }: AgioQuoteData): QuoteRequest {
  const { slippageBps: _, ...same } = request
  // The accepted limit is the limit of the request. The quote may have a tighter limit.
  return same.amountIn === undefined
    ? { ...same, maxAmountIn: same.maxAmountIn ?? maxAmountIn }
    : { ...same, minAmountOut: same.minAmountOut ?? minAmountOut }
}

/** @throws `convert/mismatch` with the first field that differs */
function assertTerms(terms: readonly Term[]): void {
  for (const { field, expected, actual = 'missing', isSame = isSameText } of terms) {
    if (expected !== undefined && !isSame(actual, expected)) throw mismatch(field, { expected, actual })
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

/** Lists what a quote and its request have in common: the mode, tokens, fixed amount, pool and limit. */
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

const quoteShape: Shape = {
  quote: 'string',
  mode: 'string',
  spender: 'string',
  tokenIn: tokenShape,
  tokenOut: tokenShape,
  amountIn: 'string',
  amountOut: 'string',
  'minAmountOut?': 'string',
  'maxAmountIn?': 'string',
  route: [{ address: 'string', tokenIn: { address: 'string' }, tokenOut: { address: 'string' } }],
  expiresAt: 'string',
  blockNumber: 'whole number',
  blockTimestamp: 'string',
}

/** Lists what a renewal keeps of its quote, besides the request. */
function listKept(quote: Quote, renewed: Quote): readonly Term[] {
  return [
    { field: 'spender', expected: quote.spender, actual: renewed.spender },
    { field: 'tokenIn.decimals', expected: `${quote.tokenIn.decimals}`, actual: `${renewed.tokenIn.decimals}` },
    { field: 'tokenOut.decimals', expected: `${quote.tokenOut.decimals}`, actual: `${renewed.tokenOut.decimals}` },
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
