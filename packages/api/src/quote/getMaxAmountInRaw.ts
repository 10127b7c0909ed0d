import type { QuoteTerms } from './QuoteTerms.ts'

/**
 * Returns the largest amount that the conversion of a quote takes, in raw units. This is the amount to approve or to
 * sign.
 */
export function getMaxAmountInRaw({ execution, limit, amountIn }: QuoteTerms): bigint {
  return BigInt(execution === 'target-swap' ? limit : amountIn)
}
