import type { Chain } from '@agio/chain'
import { Errors, type Network, ServiceError } from '@agio/core'
import type { QuoteTerms } from '../quote/QuoteTerms.ts'
import { type Context, getChain } from '../procedure/Context.ts'
import type { Quotes } from '../quote/createQuotes.ts'

/**
 * Returns the terms and the chain of a quote of this API key, even if the quote has expired.
 *
 * @throws `svc/quote-invalid`, `svc/quote-not-yours`; `svc/quote-mismatch` if the request has another chain, or if the
 * deployment now has another contract
 */
export async function openQuote(
  ctx: Context,
  { quote, chainId }: { readonly quote: string; readonly chainId?: Network.ChainId | undefined },
): Promise<{ readonly terms: QuoteTerms; readonly chain: Chain }> {
  const terms = await ctx.quotes.verify(quote, { keyId: ctx.keyId })
  if (chainId !== undefined && chainId !== terms.chainId) {
    throw Errors.quoteMismatch({ field: 'chainId', expected: String(terms.chainId), actual: String(chainId) })
  }
  const chain = getChain(ctx, terms.chainId)
  const { router, pools } = chain.deployment
  const isDeployed = terms.pool === null ? terms.to === router : pools.includes(terms.pool)
  if (!isDeployed) throw Errors.quoteMismatch({ field: 'to', expected: terms.to, actual: router })
  return { terms, chain }
}

/**
 * Returns the result of an operation with a quote, and records an expired quote.
 *
 * @throws the errors of the operation
 */
export async function observeExpiry<Result>(
  quotes: Quotes,
  quote: string,
  use: () => Promise<Result>,
): Promise<Result> {
  try {
    return await use()
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'svc/quote-expired') quotes.observe('expired', quote)
    throw error
  }
}
