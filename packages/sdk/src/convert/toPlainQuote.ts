import type { AgioQuoteData } from '../quote/AgioQuote.ts'

/** Returns a quote as plain JSON, which later changes of the given one do not change. */
export function toPlainQuote(quote: AgioQuoteData): AgioQuoteData {
  return JSON.parse(JSON.stringify(quote)) as AgioQuoteData
}
