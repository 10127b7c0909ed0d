import type { SignedPermit } from '../api/schemas.ts'
import type { AgioQuoteData } from '../quote/AgioQuote.ts'
import { mismatch, formatValue, parseAmount } from '../quote/mismatch.ts'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** The conversion that a user accepted. */
export type ExpectedConversion = {
  readonly quote: AgioQuoteData
  /** The account that signs and pays. */
  readonly account: `0x${string}`
  /** The signature that replaces an allowance, if the user has given one. */
  readonly permit?: SignedPermit | undefined
}

/** The terms of a quote, for calldata and typed data. */
export type ExpectedSwap = {
  /** The functions that may execute it. */
  readonly executions: readonly ('origin-swap' | 'target-swap')[]
  /** Largest input, in raw units. */
  readonly capRaw: bigint
  /** Smallest output, in raw units. */
  readonly leastRaw: bigint
  /** The account that receives the output. */
  readonly recipient: string
  readonly deadlineSeconds: bigint
  /** The token between two pools. For a single pool, either of its tokens. */
  readonly quoteTokens: readonly string[]
}

/** Returns the terms that the calldata of a quote must have. @throws `convert/mismatch` for a quote without a limit */
export function toExpectedSwap({ quote, account }: Omit<ExpectedConversion, 'permit'>): ExpectedSwap {
  const { route, tokenIn, tokenOut, request } = quote
  return {
    ...toLimits(quote),
    recipient: request.recipient ?? account,
    deadlineSeconds: BigInt(toDeadline(quote)),
    quoteTokens:
      route.length === 1 ? [tokenIn.address, tokenOut.address] : route.slice(0, -1).map((hop) => hop.tokenOut.address),
  }
}

/**
 * Returns the largest input of a quote in raw units, which is the amount to approve.
 *
 * @throws `convert/mismatch` for a quote without a limit
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
  // Without a contract that swaps for an exact output, the input of the quote is swapped exactly.
  return { executions: capRaw === amountInRaw ? ['target-swap', 'origin-swap'] : ['target-swap'], capRaw, leastRaw }
}

/** Returns the deadline in the calldata of a quote, in Unix seconds. @throws `convert/mismatch` for an invalid expiry */
export function toDeadline({ expiresAt }: Pick<AgioQuoteData, 'expiresAt'>): number {
  const seconds = Date.parse(expiresAt) / 1000
  if (Number.isSafeInteger(seconds)) return seconds
  throw mismatch('expiresAt', { expected: 'a time in whole seconds', actual: formatValue(expiresAt) })
}

/** Returns the digest of a quote for Permit2 signatures: the keccak256 hash of the UTF-8 bytes of its text. */
export function toQuoteDigest(quote: string): `0x${string}` {
  return `0x${bytesToHex(keccak_256(new TextEncoder().encode(quote)))}`
}
