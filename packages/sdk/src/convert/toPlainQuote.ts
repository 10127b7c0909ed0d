import type { AgioQuoteData } from '../quote/AgioQuote.ts'
import { findQuoteFlaw } from '../quote/findQuoteFlaw.ts'

/** Returns a quote as plain JSON, which later changes of the given one do not change. @throws TypeError for anything else */
export function toPlainQuote(quote: AgioQuoteData): AgioQuoteData {
  const flaw = findQuoteFlaw(quote)
  if (flaw !== undefined) throw new TypeError(`Cannot use the quote: ${flaw}`)
  return JSON.parse(JSON.stringify(quote)) as AgioQuoteData
}
