import type { AgioQuote } from '@agio/sdk'
import type { PriceChange } from './findPriceChange.ts'

/** The quote of what the user has entered, narrowed by `status`. */
export type QuoteView = {
  /** Accepts the price of a quote with the status `changed`. */
  readonly accept: () => void
  /** Requests a new quote. Returns undefined if that fails. */
  readonly renew: () => Promise<AgioQuote | undefined>
} & (
  | { readonly status: 'idle'; readonly quote?: undefined }
  /** `quote` is the last quote of these tokens, to show until the next one arrives. */
  | { readonly status: 'loading'; readonly quote: AgioQuote | undefined }
  | { readonly status: 'failed'; readonly quote: AgioQuote | undefined; readonly error: unknown }
  | { readonly status: 'expired'; readonly quote: AgioQuote }
  | { readonly status: 'ready'; readonly quote: AgioQuote; readonly secondsLeft: number }
  | {
      readonly status: 'changed'
      readonly quote: AgioQuote
      readonly secondsLeft: number
      /** How the price has changed from the accepted one. */
      readonly change: PriceChange
    }
)
