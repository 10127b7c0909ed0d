import type { Hop } from '../pool/Hop.ts'
import type { PoolState } from '../pool/PoolState.ts'
import { mapHops, type ConversionRoute } from './Route.ts'

/**
 * The values of one pool of a route that price a conversion. They do not include the state of the pool, so a quote can
 * carry them.
 */
export type PricedHop = {
  /** US dollars per whole input token, with eight decimals. */
  readonly tokenInAnswer: bigint
  /** US dollars per whole output token, with eight decimals. */
  readonly tokenOutAnswer: bigint
  /** The fee, 18 decimals. */
  readonly epsilon: bigint
  readonly decimalsIn: number
  readonly decimalsOut: number
  /** Whether our maths explains the result of the pool. The result of a pool's own curve is not computed again. */
  readonly pricing: 'local' | 'on-chain'
}

/** The priced hops of a conversion, in order. */
export type PricedRoute = readonly [PricedHop, ...PricedHop[]]

/** Returns the prices, fees and decimals of a route, in its direction. */
export function toPricedHops(route: ConversionRoute): PricedRoute {
  return mapHops(route, toPricedHop)
}

function toPricedHop({ pool, origin, target }: Hop): PricedHop {
  return {
    tokenInAnswer: origin.price.answer,
    tokenOutAnswer: target.price.answer,
    epsilon: pool.epsilon,
    decimalsIn: origin.token.decimals,
    decimalsOut: target.token.decimals,
    pricing: toHopPricing(pool),
  }
}

/** Returns whether our maths explains the result of a pool. */
export function toHopPricing({ pricing }: PoolState): PricedHop['pricing'] {
  return pricing === 'local' ? 'local' : 'on-chain'
}
