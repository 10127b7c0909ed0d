import type { Quote } from '../api/schemas.ts'
import { clientError } from '../errors/clientError.ts'
import type { QuoteRequest } from './AgioQuote.ts'
import { parseDecimal } from './parseDecimal.ts'

/**
 * Asserts that a quote matches its request: the mode, tokens, fixed amount, pool and limit.
 *
 * @throws `convert/mismatch` with the first field that differs
 */
export function assertQuoted(request: QuoteRequest, quote: Quote): void {
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
 * Returns the limit. Every quote has a limit, and its amounts are within it. The limit is tighter than requested if no
 * contract swaps for an exact output.
 */
function toLimit(request: QuoteRequest, { amountIn, amountOut, minAmountOut, maxAmountIn }: Quote): Term {
  if (request.amountIn === undefined) {
    const isSame = (actual: string, most: string) => isOrdered([amountIn, actual, most])
    return {
      field: 'maxAmountIn',
      expected: request.maxAmountIn ?? maxAmountIn ?? amountIn,
      actual: maxAmountIn,
      isSame,
    }
  }
  const isSame = (actual: string, least: string) => isOrdered([least, actual, amountOut])
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
  const raws = amounts.map((amount) => parseDecimal(amount, maxDecimals))
  return raws.every((raw, index) => raw !== undefined && raw >= (raws[index - 1] ?? 0n))
}

// More decimals than any token has.
const maxDecimals = 80
