import type { AgioQuoteData } from '../quote/AgioQuote.ts'
import { findQuoteFlaw } from '../quote/findQuoteFlaw.ts'

/** Returns a copy of a quote as plain JSON. @throws TypeError for a value that is not a quote */
export function toPlainQuote(quote: AgioQuoteData): AgioQuoteData {
  const flaw = findQuoteFlaw(quote)
  if (flaw !== undefined) throw new TypeError(`Cannot use the quote: ${flaw}`)
  return JSON.parse(JSON.stringify(quote)) as AgioQuoteData
}
