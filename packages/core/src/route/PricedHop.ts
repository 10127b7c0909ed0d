import { sidesOf, type PoolState } from '../pool/PoolState.ts'
import type { ConversionRoute, Hop } from './findConversionRoute.ts'

/** The values of one pool of a route that price a conversion, without the state of the pool: a quote can carry them. */
export type PricedHop = {
  /** US dollars per whole input token, with eight decimals. */
  readonly tokenInAnswer: bigint
  /** US dollars per whole output token, with eight decimals. */
  readonly tokenOutAnswer: bigint
  /** The fee, 18 decimals. */
  readonly epsilon: bigint
  readonly decimalsIn: number
  readonly decimalsOut: number
  /** Whether our maths explains the result of the pool. That of a curve of its own is not computed again. */
  readonly pricing: 'local' | 'on-chain'
}

/** The priced hops of a conversion: one pool, or two pools in sequence. */
export type PricedRoute = readonly [PricedHop] | readonly [PricedHop, PricedHop]

/** Returns the prices, fees and decimals of a route, in its direction. */
export function toPricedHops([first, second]: ConversionRoute): PricedRoute {
  return second ? [toPricedHop(first), toPricedHop(second)] : [toPricedHop(first)]
}

function toPricedHop({ pool, tokenIn, tokenOut }: Hop): PricedHop {
  const [origin, target] = sidesOf(pool, tokenIn, tokenOut)
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
