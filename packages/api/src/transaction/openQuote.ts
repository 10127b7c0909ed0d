import type { Chain } from '@agio/chain'
import { Errors, type Network, ServiceError } from '@agio/core'
import type { QuoteTerms } from '../quote/QuoteTerms.ts'
import { type Context, getChain } from '../procedure/Context.ts'
import type { Quotes } from '../quote/createQuotes.ts'

/**
 * Returns the terms and the chain of a quote of this API key, even if the quote has expired.
 *
 * @throws `svc/quote-invalid`, `svc/quote-not-yours`; `svc/quote-mismatch` if the request has another chain, or if the
 * quote calls a contract that the deployment does not have
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
  assertDeployed(terms, chain.deployment)
  return { terms, chain }
}

/**
 * Asserts that a quote calls the contract of its route: its pool, or else the router. A holder of a leaked quote secret can
 * sign terms with another contract, whose approval the service must not build.
 *
 * @throws `svc/quote-mismatch` if the quote calls another contract
 */
function assertDeployed({ pool, to }: QuoteTerms, { router, pools }: Chain['deployment']): void {
  if (pool !== null && !pools.includes(pool))
    throw Errors.quoteMismatch({ field: 'to', expected: pool, actual: router })
  const callee = pool ?? router
  if (to !== callee) throw Errors.quoteMismatch({ field: 'to', expected: to, actual: callee })
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
