import { ServiceError } from '@agio/core'
import type { Quotes } from '../quote/createQuotes.ts'

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
