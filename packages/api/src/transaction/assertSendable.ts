import type { Chain } from '@agio/chain'
import { ServiceError } from '@agio/core'
import { assertNotExpired } from '../quote/assertNotExpired.ts'
import type { QuoteTerms } from '../quote/QuoteTerms.ts'

/**
 * Asserts that the transaction of a quote may be sent. Either the quote has not expired, or a node already knows the
 * transaction, so that a repeated broadcast returns the result of the first.
 *
 * @throws `svc/quote-expired`
 */
export async function assertSendable(
  chain: Chain,
  { hash }: Pick<Awaited<ReturnType<Chain['transactions']['decodeSigned']>>, 'hash'>,
  { terms, nowMs }: { readonly terms: QuoteTerms; readonly nowMs: number },
): Promise<void> {
  const { block } = await chain.pools.getSnapshot()
  try {
    assertNotExpired(terms, { headSeconds: block.timestampSeconds, nowMs })
  } catch (expired) {
    await chain.transactions.readStatus(hash).catch((error: unknown) => {
      throw error instanceof ServiceError && error.code === 'svc/transaction-not-found' ? expired : error
    })
  }
}
