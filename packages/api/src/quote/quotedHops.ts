import { sidesOf, type ConversionRoute, type Hop, type Pricing } from '@agio/core'
import type { QuotedHop, QuoteTerms } from './QuoteTerms.ts'

/** Returns the hops of a route as the terms of a quote contain them. */
export function toQuotedHops([first, second]: ConversionRoute): QuoteTerms['hops'] {
  return second ? [toQuotedHop(first), toQuotedHop(second)] : [toQuotedHop(first)]
}

/** Returns the prices and fees of a quote's pools, for the maths of core. */
export function fromQuotedHops([first, second]: QuoteTerms['hops']): PricedRoute {
  return second ? [toPricedHop(first), toPricedHop(second)] : [toPricedHop(first)]
}

function toQuotedHop({ pool, tokenIn, tokenOut }: Hop): QuotedHop {
  const [origin, target] = sidesOf(pool, tokenIn, tokenOut)
  return {
    pool: pool.address,
    tokenIn,
    tokenOut,
    tokenInAnswer: origin.price.answer.toString(),
    tokenOutAnswer: target.price.answer.toString(),
    epsilon: pool.epsilon.toString(),
    decimalsIn: origin.token.decimals,
    decimalsOut: target.token.decimals,
    pricing: pool.pricing,
  }
}

function toPricedHop(hop: QuotedHop): PricedHop {
  const { decimalsIn, decimalsOut, pricing } = hop
  return {
    tokenInAnswer: BigInt(hop.tokenInAnswer),
    tokenOutAnswer: BigInt(hop.tokenOutAnswer),
    epsilon: BigInt(hop.epsilon),
    decimalsIn,
    decimalsOut,
    pricing,
  }
}

type PricedRoute = readonly [PricedHop] | readonly [PricedHop, PricedHop]

/** The values of one pool of a route that price a conversion. */
type PricedHop = {
  /** US dollars per whole token, with eight decimals. */
  readonly tokenInAnswer: bigint
  readonly tokenOutAnswer: bigint
  /** The fee, 18 decimals. */
  readonly epsilon: bigint
  readonly decimalsIn: number
  readonly decimalsOut: number
  readonly pricing: Pricing
}
