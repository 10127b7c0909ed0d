import { Errors, type Address, type Network } from '@agio/core'
import type { Store } from '@agio/store'
import { createQuoteSigner, type QuoteSigner } from './createQuoteSigner.ts'
import type { QuoteTerms } from './QuoteTerms.ts'

/**
 * Creates the functions that sign and verify quotes, refuse quotes of paused pairs, and observe the events of quotes.
 */
export function createQuotes({ store, metrics }: Dependencies): Quotes {
  const signer = createQuoteSigner({
    secrets: { current: () => store.quoteSecrets.current(), find: (id) => store.quoteSecrets.find(id) },
  })
  return {
    verify: signer.verify,
    sign(terms) {
      const quote = signer.sign(terms)
      metrics.observeQuote({ event: 'issued', quote })
      return quote
    },
    assertNotPaused(chainId, tokens) {
      if (!store.quotePauses.isPaused({ chainId, tokens })) return
      throw Errors.quotingPaused({ tokens })
    },
    observe: (event, quote) => metrics.observeQuote({ event, quote }),
    observeMined(quote, terms, amounts) {
      metrics.observeQuote({ event: 'mined', quote, slippageBps: toSlippageBps(terms, amounts) })
    },
  }
}

type Dependencies = {
  readonly store: {
    readonly quoteSecrets: Pick<Store['quoteSecrets'], 'current' | 'find'>
    readonly quotePauses: Pick<Store['quotePauses'], 'isPaused'>
  }
  readonly metrics: { observeQuote(observation: QuoteObservation): void }
}

/** Signs, verifies, pauses and counts quotes. */
export type Quotes = QuoteSigner & {
  /** Asserts that quotes for two tokens, in any order, are not paused. @throws `svc/quoting-paused` */
  assertNotPaused(chainId: Network.ChainId, tokens: readonly [Address, Address]): void
  /** Records that a quote was built, or had expired when it was used. `sign` records that it was issued. */
  observe(event: 'built' | 'expired', quote: string): void
  /** Records that the conversion of a quote was mined, with the amounts actually paid and received. */
  observeMined(quote: string, terms: QuoteTerms, amounts: Amounts): void
}

/** An event of a quote for the metrics, with the text of the quote. The same event may be observed more than once. */
export type QuoteObservation =
  | { readonly event: 'issued' | 'built' | 'expired'; readonly quote: string }
  | { readonly event: 'mined'; readonly quote: string; readonly slippageBps: number }

const partsPerBps = 1_000_000n

/**
 * Returns how much less than quoted a conversion received per unit paid, in basis points; negative if it received more.
 * The ratio is for metrics, and exact to a millionth of a basis point.
 */
export function toSlippageBps(
  terms: Pick<QuoteTerms, 'amountIn' | 'amountOut'>,
  { amountInRaw, amountOutRaw }: Amounts,
): number {
  const quoted = BigInt(terms.amountOut) * amountInRaw
  const executed = amountOutRaw * BigInt(terms.amountIn)
  return quoted === 0n ? 0 : Number(((quoted - executed) * 10_000n * partsPerBps) / quoted) / Number(partsPerBps)
}

/** The amounts that a conversion actually paid and received, in raw units. */
type Amounts = { readonly amountInRaw: bigint; readonly amountOutRaw: bigint }
