import { defaultChainId, Errors, type ChainId } from '@agio/core'
import { z } from 'zod'
import type { QuoteTerms } from '../quote/QuoteTerms.ts'
import { chainId, transactionHash } from '../schema/fields.ts'
import { quoteText } from '../schema/quoteText.ts'
import { getChain } from '../trpc/getChain.ts'
import { procedure } from '../trpc/procedure.ts'
import { findQuoted } from './findQuoted.ts'
import { receiptResponse, toMinedResponse, toPendingResponse } from './receiptResponse.ts'

const inputSchema = z.strictObject({
  transactionHash,
  chainId: chainId.optional().meta({
    description: `Chain id of the network; that of the quote by default, and ${defaultChainId} without a quote`,
  }),
  quote: quoteText.optional().meta({
    description: 'The quote that the transaction executed, also an expired one: the receipt compares both',
  }),
})

/** Explains a mined conversion. */
export const receipt = procedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/api/v1/convert/receipt',
      operationId: 'getConversionReceipt',
      tags: ['Convert'],
      summary: 'Get the receipt of a conversion',
      description:
        "Returns what a conversion paid and received, and where the difference from the oracles' amount went, exact to the last unit: for any mined transaction that converted by the router or a pool, no matter who sent it or how. A transaction that a node learns of within a second is found; until it is mined it is `pending`.",
    },
    errors: [
      'svc/transaction-not-found',
      'svc/not-a-conversion',
      'svc/quote-invalid',
      'svc/quote-not-yours',
      'svc/quote-mismatch',
    ],
  })
  .input(inputSchema)
  .output(receiptResponse)
  .query(async ({ ctx, input }) => {
    const terms = input.quote === undefined ? undefined : await ctx.quotes.verify(input.quote, { keyId: ctx.keyId })
    const chain = getChain(ctx, resolveChainId(input.chainId, terms))
    const found = await chain.transactions.readConversionReceipt(input.transactionHash)
    if (found.status === 'pending') return toPendingResponse(input.transactionHash, terms)
    const main = terms ? findQuoted(found, terms) : found.outcomes[0]
    if (terms && input.quote !== undefined && main.status === 'success') {
      ctx.quotes.observeMined(input.quote, terms, main)
    }
    return toMinedResponse(input.transactionHash, found, { main, terms })
  })

/** @throws `svc/quote-mismatch` if the request names another chain than its quote */
function resolveChainId(requested: ChainId | undefined, terms: QuoteTerms | undefined): ChainId {
  if (!terms) return requested ?? defaultChainId
  if (requested === undefined || requested === terms.chainId) return terms.chainId
  throw Errors.quoteMismatch({ field: 'chainId', expected: terms.chainId.toString(), actual: requested.toString() })
}
