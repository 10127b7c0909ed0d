import * as Integer from '../integer/Integer.ts'
import type * as Pool from '../pool/Pool.ts'
import * as Route from './Route.ts'

/**
 * The values of one pool of a route that price a conversion. They do not include the state of the pool, so a quote can
 * carry them.
 */
export type Hop = {
  /** US dollars per whole input token, with eight decimals. */
  readonly tokenInAnswer: bigint
  /** US dollars per whole output token, with eight decimals. */
  readonly tokenOutAnswer: bigint
  /** The fee, 18 decimals. */
  readonly epsilon: bigint
  readonly decimalsIn: number
  readonly decimalsOut: number
  /** `local` if our maths explains the result of the pool. A pool with its own curve counts as `on-chain`. */
  readonly pricing: 'local' | 'on-chain'
}

/** The priced hops of a conversion, in order. */
export type PricedRoute = readonly [Hop, ...Hop[]]

/** Returns the prices, fees and decimals of a route, in its direction. */
export function from(route: Route.Route): PricedRoute {
  return Route.mapHops(route, toPricedHop)
}

function toPricedHop({ pool, origin, target }: Route.Route[0]): Hop {
  return {
    tokenInAnswer: origin.price.answer,
    tokenOutAnswer: target.price.answer,
    epsilon: pool.epsilon,
    decimalsIn: origin.token.decimals,
    decimalsOut: target.token.decimals,
    pricing: toPricing(pool),
  }
}

/** Returns `local` if our maths explains the result of a pool, else `on-chain`. */
export function toPricing({ pricing }: Pool.Pool): Hop['pricing'] {
  return pricing === 'local' ? 'local' : 'on-chain'
}

/**
 * Returns the value of an input at the oracle prices of all hops, before any fee, in raw units of the last token. The
 * result is rounded down once: nothing is rounded in the token between two hops.
 *
 * @throws RangeError if a price is not positive
 */
export function valueAtOracles(hops: readonly Hop[], amountInRaw: bigint): bigint {
  let [numerator, denominator] = [amountInRaw, 1n]
  for (const { tokenInAnswer, tokenOutAnswer, decimalsIn, decimalsOut } of hops) {
    if (tokenInAnswer <= 0n || tokenOutAnswer <= 0n) {
      throw new RangeError(`Cannot value an amount: the prices are ${tokenInAnswer} and ${tokenOutAnswer}`)
    }
    numerator *= tokenInAnswer * Integer.powerOfTen(decimalsOut)
    denominator *= tokenOutAnswer * Integer.powerOfTen(decimalsIn)
  }
  return numerator / denominator
}
