import type { BuiltConvert, Chain, Snapshot } from '@agio/chain'
import { Amount, type Address } from '@agio/core'
import { priceQuoteNow } from '../quote/priceQuoteNow.ts'
import type { QuoteTerms } from '../quote/QuoteTerms.ts'
import { toConversionCall } from '../quote/toConversionCall.ts'
import { getToken } from '../snapshot/getToken.ts'
import type { Issue } from './findIssues.ts'
import { findQuoteIssues } from './findQuoteIssues.ts'

/**
 * Builds the conversion of a quote for a wallet, at the limits of the quote, whatever the market is now: a limit that the market
 * has passed is an issue.
 *
 * @throws what `Chain.buildConvert` throws, and the error of a pool that refuses the conversion now
 */
export async function buildQuoted(
  chain: Chain,
  snapshot: Snapshot,
  { terms, userAddress }: { readonly terms: QuoteTerms; readonly userAddress: Address },
): Promise<BuiltQuote> {
  const [tokenIn, tokenOut] = [getToken(snapshot, terms.tokenIn, 'quote'), getToken(snapshot, terms.tokenOut, 'quote')]
  const market = await priceQuoteNow(chain, snapshot, terms)
  // A conversion that would revert has no estimate.
  const gas = market?.isWithinLimit === false ? 'upper-bound' : 'estimate'
  const built = await chain.buildConvert({ ...toConversionCall(terms, { userAddress, tokenIn, tokenOut }), gas })
  return {
    built,
    issues: findQuoteIssues({ terms, tokenIn, tokenOut }, built, market),
    ...(market?.side === 'out' && { amountOutNow: Amount.format(market.nowRaw, tokenOut.decimals) }),
    ...(market?.side === 'in' && { amountInNow: Amount.format(market.nowRaw, tokenIn.decimals) }),
  }
}

type BuiltQuote = {
  readonly built: BuiltConvert
  readonly issues: Issue[]
  /** What the input pays now, in whole tokens; absent for a fixed output, and if it cannot be priced now. */
  readonly amountOutNow?: string
  /** What the output costs now, likewise. */
  readonly amountInNow?: string
}
