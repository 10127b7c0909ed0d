import type { TokenReference } from '../api/schemas.ts'
import type { AgioQuoteData } from '../quote/AgioQuote.ts'
import * as Decimal from '../quote/Decimal.ts'
import { checkLimit } from '../quote/checkTerms.ts'
import { assertEqual, mismatch, parseAmount } from '../quote/mismatch.ts'

/**
 * Asserts that a quote matches its request: the network, the tokens, the amount, the limit, and a route from one token
 * to the other.
 *
 * @throws `convert/mismatch` with the first field that differs
 */
export function checkQuote(quote: AgioQuoteData): void {
  const { request, tokenIn, tokenOut } = quote
  assertEqual('chainId', String(request.chainId), quote.chainId)
  assertEqual('tokenIn', request.tokenIn, tokenIn.address)
  assertEqual('tokenOut', request.tokenOut, tokenOut.address)
  assertEqual('mode', request.amountIn === undefined ? 'exact-out' : 'exact-in', quote.mode)
  assertAmount('amountIn', quote, tokenIn)
  assertAmount('amountOut', quote, tokenOut)
  checkRoute(quote)
  checkLimit(quote)
}

/** Asserts that the quote has the requested amount. Trailing zeros may differ. */
function assertAmount(
  field: 'amountIn' | 'amountOut',
  { request, ...quote }: AgioQuoteData,
  { decimals }: TokenReference,
): void {
  const requested = request[field]
  if (requested === undefined) return
  const [expected, actual] = [requested, quote[field]].map((amount) => parseAmount(amount, decimals, field))
  assertEqual(field, Decimal.format(expected ?? 0n, decimals), Decimal.format(actual ?? 0n, decimals))
}

// The largest number of pools that a router converts through.
const maxHops = 2

function checkRoute({ route, tokenIn, tokenOut, request }: AgioQuoteData): void {
  if (route.length < 1 || route.length > maxHops) {
    throw mismatch('route', { expected: 'one or two pools', actual: `${route.length}` })
  }
  let from: string = tokenIn.address
  for (const [index, hop] of route.entries()) {
    assertEqual(`route.${index}.tokenIn`, from, hop.tokenIn.address)
    from = hop.tokenOut.address
  }
  assertEqual('route.tokenOut', tokenOut.address, from)
  if (request.poolAddress !== undefined) assertEqual('route.0.address', request.poolAddress, route[0]?.address)
}
