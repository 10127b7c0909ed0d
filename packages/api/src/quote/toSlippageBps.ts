import type { QuoteTerms } from './QuoteTerms.ts'

const partsPerBps = 1_000_000n

/**
 * Returns how much less than quoted a conversion received per unit paid, in basis points; negative if it received more.
 * The ratio is for metrics, and exact to a millionth of a basis point.
 */
export function toSlippageBps(
  terms: Pick<QuoteTerms, 'amountIn' | 'amountOut'>,
  { amountInRaw, amountOutRaw }: toSlippageBps.Paid,
): number {
  const quoted = BigInt(terms.amountOut) * amountInRaw
  const executed = amountOutRaw * BigInt(terms.amountIn)
  return quoted === 0n ? 0 : Number(((quoted - executed) * 10_000n * partsPerBps) / quoted) / Number(partsPerBps)
}

export declare namespace toSlippageBps {
  /** The amounts that a conversion actually paid and received, in raw units. */
  type Paid = { readonly amountInRaw: bigint; readonly amountOutRaw: bigint }
}
