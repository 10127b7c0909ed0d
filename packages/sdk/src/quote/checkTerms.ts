import type { TokenReference } from '../api/schemas.ts'
import type { AgioQuoteData } from './AgioQuote.ts'
import * as Decimal from './Decimal.ts'
import { formatValue, mismatch, parseAmount } from './mismatch.ts'

// The defaults and the bounds of the service.
const defaultSlippageBps = 5
const defaultValiditySeconds = 60
const maxValiditySeconds = 600

// The clocks of the service and of this machine may differ by this much.
const clockToleranceSeconds = 120

/**
 * Asserts that the limit of a quote is at least as good as its request demands: the requested `minAmountOut` or
 * `maxAmountIn`, or the quoted amount with the requested tolerance.
 *
 * @throws `convert/mismatch` with `minAmountOut`, `maxAmountIn`, or another field that cannot be read
 */
export function checkLimit(quote: AgioQuoteData): void {
  const { tokenIn, tokenOut, request } = quote
  for (const field of ['tokenIn', 'tokenOut'] as const) assertDecimals(`${field}.decimals`, quote[field])
  if (request.amountIn === undefined) {
    const mostRaw = toMostRaw(quote)
    if (parseAmount(quote.maxAmountIn, tokenIn.decimals, 'maxAmountIn') <= mostRaw) return
    const expected = `at most ${Decimal.format(mostRaw, tokenIn.decimals)}`
    throw mismatch('maxAmountIn', { expected, actual: formatValue(quote.maxAmountIn) })
  }
  const leastRaw = toLeastRaw(quote)
  if (parseAmount(quote.minAmountOut, tokenOut.decimals, 'minAmountOut') >= leastRaw) return
  const expected = `at least ${Decimal.format(leastRaw, tokenOut.decimals)}`
  throw mismatch('minAmountOut', { expected, actual: formatValue(quote.minAmountOut) })
}

// The type of `decimals()` is uint8.
const maxDecimals = 255

function assertDecimals(field: string, { decimals }: TokenReference): void {
  if (Number.isInteger(decimals) && decimals >= 0 && decimals <= maxDecimals) return
  throw mismatch(field, { expected: `an integer from 0 to ${maxDecimals}`, actual: formatValue(decimals) })
}

/** Returns the largest input that the request allows, in raw units: the quoted input plus the tolerance, rounded up. */
function toMostRaw({ request, amountIn, tokenIn }: AgioQuoteData): bigint {
  if (request.maxAmountIn !== undefined) return parseAmount(request.maxAmountIn, tokenIn.decimals, 'maxAmountIn')
  const raisedRaw = parseAmount(amountIn, tokenIn.decimals, 'amountIn') * (tenThousand + toBps(request))
  return (raisedRaw + tenThousand - 1n) / tenThousand
}

// A pool that the service prices on chain may pay this much less than its view returns.
const viewToleranceRaw = 2n

/**
 * Returns the smallest output that the request allows, in raw units: the quoted output minus the tolerance, rounded
 * down, and at least 1. Over one pool it may be 2 units below the quoted output, even if the tolerance is smaller.
 */
function toLeastRaw({ request, amountOut, tokenOut, route }: AgioQuoteData): bigint {
  if (request.minAmountOut !== undefined) return parseAmount(request.minAmountOut, tokenOut.decimals, 'minAmountOut')
  const amountOutRaw = parseAmount(amountOut, tokenOut.decimals, 'amountOut')
  const reducedRaw = (amountOutRaw * (tenThousand - toBps(request))) / tenThousand
  const worstRaw = route.length === 1 ? amountOutRaw - viewToleranceRaw : amountOutRaw
  const leastRaw = reducedRaw < worstRaw ? reducedRaw : worstRaw
  return leastRaw > 1n ? leastRaw : 1n
}

const tenThousand = 10_000n

function toBps({ slippageBps = defaultSlippageBps }: AgioQuoteData['request']): bigint {
  return BigInt(slippageBps)
}

/**
 * Asserts that a quote expires no later than its request demands, counted from `nowSeconds`. Two minutes are added,
 * because clocks differ.
 *
 * @throws `convert/mismatch` with `expiresAt`
 */
export function checkExpiry({ request, expiresAt }: AgioQuoteData, nowSeconds: number): void {
  const validitySeconds = Math.min(request.validForSeconds ?? defaultValiditySeconds, maxValiditySeconds)
  const latestSeconds = validitySeconds + clockToleranceSeconds
  // False for a text that is not a time.
  if (Date.parse(expiresAt) / 1000 <= nowSeconds + latestSeconds) return
  throw mismatch('expiresAt', { expected: `at most ${latestSeconds} seconds from now`, actual: formatValue(expiresAt) })
}
