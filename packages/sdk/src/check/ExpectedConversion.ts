import type { SignedPermit } from '../api/schemas.ts'
import type { AgioQuoteData } from '../quote/AgioQuote.ts'
import { parseAmount } from './amounts.ts'
import { mismatch, show } from './mismatch.ts'

/** The conversion that a user accepted. */
export type ExpectedConversion = {
  readonly quote: AgioQuoteData
  /** The account that signs and pays. */
  readonly account: `0x${string}`
  /** The signature that pays in place of an allowance, if the user has given one. */
  readonly permit?: SignedPermit | undefined
}

/** The terms of a quote, for calldata and typed data. */
export type ExpectedSwap = {
  /** By which functions it may be executed. */
  readonly executions: readonly ('origin-swap' | 'target-swap')[]
  /** The most that it takes, in raw units. */
  readonly capRaw: bigint
  /** The least that it pays, in raw units. */
  readonly leastRaw: bigint
  /** The account that is paid. */
  readonly recipient: string
  readonly deadlineSeconds: bigint
  /** The token between two pools; of a single pool either of its tokens. */
  readonly quoteTokens: readonly string[]
}

/** Returns what the calldata of a quote has to say. @throws `convert/mismatch` for a quote that lacks its limit */
export function toExpectedSwap({ quote, account }: Omit<ExpectedConversion, 'permit'>): ExpectedSwap {
  const { route, tokenIn, tokenOut, request } = quote
  return {
    ...toLimits(quote),
    recipient: request.recipient ?? account,
    deadlineSeconds: toSeconds(quote.expiresAt),
    quoteTokens:
      route.length === 1 ? [tokenIn.address, tokenOut.address] : route.slice(0, -1).map((hop) => hop.tokenOut.address),
  }
}

/**
 * Returns the most that the conversion of a quote takes, in raw units: the amount to approve.
 *
 * @throws `convert/mismatch` for a quote that lacks its limit
 */
export function getMaxAmountInRaw(quote: AgioQuoteData): bigint {
  return toLimits(quote).capRaw
}

function toLimits(quote: AgioQuoteData): Pick<ExpectedSwap, 'executions' | 'capRaw' | 'leastRaw'> {
  const { mode, tokenIn, tokenOut } = quote
  const amountInRaw = parseAmount(quote.amountIn, tokenIn.decimals, 'amountIn')
  if (mode === 'exact-in') {
    const leastRaw = parseAmount(quote.minAmountOut, tokenOut.decimals, 'minAmountOut')
    return { executions: ['origin-swap'], capRaw: amountInRaw, leastRaw }
  }
  const capRaw = parseAmount(quote.maxAmountIn, tokenIn.decimals, 'maxAmountIn')
  const leastRaw = parseAmount(quote.amountOut, tokenOut.decimals, 'amountOut')
  // Where no contract swaps for an exact output, exactly the input of the quote is swapped.
  return { executions: capRaw === amountInRaw ? ['target-swap', 'origin-swap'] : ['target-swap'], capRaw, leastRaw }
}

function toSeconds(time: string): bigint {
  const seconds = Date.parse(time) / 1000
  if (!Number.isSafeInteger(seconds)) {
    throw mismatch('expiresAt', { expected: 'a time in whole seconds', actual: show(time) })
  }
  return BigInt(seconds)
}
