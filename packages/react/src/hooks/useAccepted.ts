import type { AgioQuoteData } from '@agio/sdk'
import { useState } from 'react'
import { findPriceChange, type PriceChange } from '../quote/findPriceChange.ts'

/**
 * Holds the quote whose limit the user has accepted: the first quote of its terms, or the one that the user accepted.
 *
 * @param terms what the user has entered, as text. Undefined without an amount
 *
 * @param quote the newest quote of the terms
 */
export function useAccepted(terms: string | undefined, quote: AgioQuoteData | undefined): Accepted {
  const [accepted, setAccepted] = useState<{ readonly terms: string; readonly quote: AgioQuoteData }>()
  if (terms === undefined && accepted) setAccepted(undefined)
  if (terms !== undefined && quote && accepted?.terms !== terms) setAccepted({ terms, quote })
  return {
    findChange: (renewed) =>
      accepted && accepted.terms === terms ? findPriceChange(accepted.quote, renewed) : undefined,
    accept: () => {
      if (quote && terms !== undefined) setAccepted({ terms, quote })
    },
  }
}

type Accepted = {
  /** Returns how a quote of the terms is worse than the accepted limit, or undefined if it is not. */
  readonly findChange: (renewed: AgioQuoteData) => PriceChange | undefined
  /** Accepts the newest quote. */
  readonly accept: () => void
}
