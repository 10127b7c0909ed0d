import type { Chain } from '@agio/chain'
import type { Address, Token } from '@agio/core'
import type { QuoteTerms } from './QuoteTerms.ts'

/** Returns the call that executes a quote for a wallet, with the limits and the route of the quote. */
export function toConversionCall(
  terms: QuoteTerms,
  { userAddress, tokenIn, tokenOut }: toConversionCall.Parties,
): Parameters<Chain['conversions']['build']>[0] {
  const { recipient, pool, expiresAt, execution } = terms
  const common = {
    userAddress,
    tokenIn,
    tokenOut,
    deadlineSeconds: BigInt(expiresAt),
    ...(recipient !== null && { recipient }),
    ...(pool !== null && { pool }),
  }
  const [amountInRaw, amountOutRaw, limitRaw] = [BigInt(terms.amountIn), BigInt(terms.amountOut), BigInt(terms.limit)]
  if (execution === 'target-swap') return { ...common, mode: 'exact-out', maxAmountInRaw: limitRaw, amountOutRaw }
  const minAmountOutRaw = terms.mode === 'exact-in' ? limitRaw : amountOutRaw
  return { ...common, mode: 'exact-in', amountInRaw, minAmountOutRaw }
}

export declare namespace toConversionCall {
  type Parties = { readonly userAddress: Address; readonly tokenIn: Token; readonly tokenOut: Token }
}
