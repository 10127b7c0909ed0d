import { PricedRoute, Route, type Hop } from '@agio/core'
import type { QuotedHop, QuoteTerms } from './QuoteTerms.ts'

/** Returns the hops of a route in the form of a quote's terms. */
export function toQuotedHops(route: Route.Route): QuoteTerms['hops'] {
  return Route.mapHops(route, toQuotedHop)
}

/** Returns the prices and fees of a quote's pools, for the maths of core. */
export function fromQuotedHops(hops: QuoteTerms['hops']): PricedRoute.PricedRoute {
  return Route.mapHops(hops, toPricedHop)
}

function toQuotedHop(hop: Hop.Hop): QuotedHop {
  const [{ tokenInAnswer, tokenOutAnswer, epsilon, ...priced }] = PricedRoute.from([hop])
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

function toPricedHop({ pool: _, tokenIn: __, tokenOut: ___, ...priced }: QuotedHop): PricedRoute.Hop {
  const { tokenInAnswer, tokenOutAnswer, epsilon } = priced
  return {
    ...priced,
    tokenInAnswer: BigInt(tokenInAnswer),
    tokenOutAnswer: BigInt(tokenOutAnswer),
    epsilon: BigInt(epsilon),
  }
}
