import { Errors, Network } from '@agio/core'
import { z } from 'zod'
import type { QuoteTerms } from '../quote/QuoteTerms.ts'
import { chainId, transactionHash, quoteText } from '../schema/fields.ts'
import { getChain } from '../procedure/Context.ts'
import { procedure } from '../procedure/procedure.ts'
import { findQuoted } from './findQuoted.ts'
import { receiptResponse, toMinedResponse, toPendingResponse } from './receiptResponse.ts'

const inputSchema = z.strictObject({
  transactionHash,
  chainId: chainId.optional().meta({
    description: `Chain id of the network. Default: the chain of the quote, or ${Network.defaultChainId} without a quote`,
  }),
  quote: quoteText.optional().meta({
    description: 'The quote that the transaction executed, even if it has expired. The receipt compares both',
  }),
})

/** Explains a mined conversion. */
export const receipt = procedure
  .meta({
    scope: 'read',
    openapi: {
      method: 'POST',
      path: '/api/v1/convert/receipt',
      operationId: 'getConversionReceipt',
      tags: ['Convert'],
      summary: 'Get the receipt of a conversion',
      description:
        "Returns the amounts that a conversion paid and received, and the parts of the difference from the oracles' amount, exact to the last unit. It works for any mined transaction that converted through the router or a pool, regardless of who sent it. Waits up to a second for a node to know the transaction. The status is `pending` until the transaction is mined.",
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

/** Asserts that the request and its quote have the same chain. @throws `svc/quote-mismatch` */
function resolveChainId(requested: Network.ChainId | undefined, terms: QuoteTerms | undefined): Network.ChainId {
  if (!terms) return requested ?? Network.defaultChainId
  if (requested === undefined || requested === terms.chainId) return terms.chainId
  throw Errors.quoteMismatch({ field: 'chainId', expected: terms.chainId.toString(), actual: requested.toString() })
}
