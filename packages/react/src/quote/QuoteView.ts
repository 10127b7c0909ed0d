import type { AgioQuote } from '@agio/sdk'
import type { PriceChange } from './findPriceChange.ts'

/** The quote of what the user has entered, narrowed by `status`. */
export type QuoteView = {
  /** Accepts the price of a quote with the status `changed`. */
  readonly accept: () => void
  /** Requests a new quote. Returns undefined if that fails, or if the user must accept its price first. */
  readonly renew: () => Promise<AgioQuote | undefined>
  /** Whether a quote is being requested. */
  readonly isFetching: boolean
} & (
  | { readonly status: 'idle'; readonly quote?: undefined }
  | {
      readonly status: 'loading'
      /** The last quote of these tokens, to show until the next one arrives. */
      readonly quote: AgioQuote | undefined
      /** The failure of the last request of these tokens, to show until this one is answered. */
      readonly failure?: QuoteFailure | undefined
    }
  /** `quote` is the last quote of the same request. */
  | (QuoteFailure & { readonly status: 'failed'; readonly quote: AgioQuote | undefined })
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

/** Why there is no quote. */
export type QuoteFailure = {
  readonly error: unknown
  /** When the error arrived, by the clock of the page, in milliseconds. */
  readonly at: number
  /** Whether the request is repeated without the user, if that can help. */
  readonly isRepeated: boolean
}
