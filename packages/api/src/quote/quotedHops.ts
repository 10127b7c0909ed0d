import { mapHops, toPricedHops, type ConversionRoute, type Hop, type PricedHop, type PricedRoute } from '@agio/core'
import type { QuotedHop, QuoteTerms } from './QuoteTerms.ts'

/** Returns the hops of a route in the form of a quote's terms. */
export function toQuotedHops(route: ConversionRoute): QuoteTerms['hops'] {
  return mapHops(route, toQuotedHop)
}

/** Returns the prices and fees of a quote's pools, for the maths of core. */
export function fromQuotedHops(hops: QuoteTerms['hops']): PricedRoute {
  return mapHops(hops, toPricedHop)
}

function toQuotedHop(hop: Hop): QuotedHop {
  const [{ tokenInAnswer, tokenOutAnswer, epsilon, ...priced }] = toPricedHops([hop])
  return {
    pool: hop.pool.address,
    tokenIn: hop.origin.token.address,
    tokenOut: hop.target.token.address,
    tokenInAnswer: tokenInAnswer.toString(),
    tokenOutAnswer: tokenOutAnswer.toString(),
    epsilon: epsilon.toString(),
    ...priced,
  }
}

function toPricedHop({ pool: _, tokenIn: __, tokenOut: ___, ...priced }: QuotedHop): PricedHop {
  const { tokenInAnswer, tokenOutAnswer, epsilon } = priced
  return {
    ...priced,
    tokenInAnswer: BigInt(tokenInAnswer),
    tokenOutAnswer: BigInt(tokenOutAnswer),
    epsilon: BigInt(epsilon),
  }
}
