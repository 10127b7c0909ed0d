import { ServiceError } from '@agio/core'
import type { Quotes } from '../quote/createQuotes.ts'

/** Returns the result of an operation with a quote, and observes it if the quote has expired. @throws what the operation throws */
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
