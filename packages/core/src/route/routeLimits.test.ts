import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { poolOf, nowSeconds, sideOf } from '../../test/pools.fixture.ts'
import { ServiceError } from '../errors/ServiceError.ts'
import { findConversionRoute, getTarget, reverseRoute, type ConversionRoute } from './Route.ts'
import { getMaxRouteIn } from './getMaxRouteIn.ts'
import { getMinRouteIn } from './getMinRouteIn.ts'
import { quoteRoute } from './quoteRoute.ts'

describe.each([1, 2, 3] as const)('the limits of a route over %i pools', (pools) => {
  it('the largest input is refused by no limit, and one unit more is', () => {
    fc.assert(
      fc.property(arbitraryRoute(pools), (route) => {
        for (const either of [route, reverseRoute(route)]) {
          const maxRaw = getMaxRouteIn(either)
          expect(outcomeOf(either, maxRaw + 1n)).toBe('svc/above-max-origin')
          expect(outcomeOf(either, maxRaw)).not.toBe('svc/above-max-origin')
        }
      }),
      { numRuns: 3000 },
    )
  })

  it('the smallest input pays at least one unit unless it is above the limit, and one unit less does not', () => {
    fc.assert(
      fc.property(arbitraryRoute(pools), (route) => {
        const [minRaw, maxRaw] = [getMinRouteIn(route), getMaxRouteIn(route)]
        expect(minRaw).toBeGreaterThan(0n)
        expect(outcomeOf(route, minRaw)).toBeTypeOf(minRaw <= maxRaw ? 'bigint' : 'string')
        expect(outcomeOf(route, minRaw - 1n)).toBe(minRaw - 1n <= maxRaw ? tooSmall : 'svc/above-max-origin')
      }),
      { numRuns: 3000 },
    )
  })
})

it('the reverse of a route goes through the same pools in the other order', () => {
  const [route] = fc.sample(arbitraryRoute(2), { numRuns: 1, seed: 1 }) as [ConversionRoute]
  const [first, second] = route
  const back = reverseRoute(route)
  expect(back.map(({ pool }) => pool)).toEqual([second?.pool, first.pool])
  expect([back[0].origin, back[1]?.target]).toEqual([second?.target, first.origin])
  expect(back[0].target.token).toEqual(back[1]?.origin.token)
})

const tooSmall = 'svc/amount-too-small'

/** Returns what an input pays, or the code of its refusal. */
function outcomeOf(route: ConversionRoute, amountInRaw: bigint): bigint | string {
  try {
    return quoteRoute(route, amountInRaw, nowSeconds)
  } catch (error) {
    if (error instanceof ServiceError) return error.code
    throw error
  }
}

/** Creates routes whose reserves, prices, fees, halts and decimals make limits of any size, even below one unit. */
function arbitraryRoute(pools: 1 | 2 | 3): fc.Arbitrary<ConversionRoute> {
  // The router converts through two pools at most. The maths holds for any number.
  if (pools === 3) return fc.tuple(arbitraryRoute(2), arbitraryRoute(1)).map(join)

  const between = arbitrarySide('USD')
  return fc
    .record({
      input: arbitrarySide('AUD'),
      output: arbitrarySide('EUR'),
      between,
      other: between,
      terms: fc.tuple(arbitraryTerms, arbitraryTerms),
    })
    .map(({ input, output, between, other, terms: [first, second] }) => {
      // The two pools hold different amounts of the token between.
      const ofSecond = { ...between, reserve: other.reserve }
      const states =
        pools === 1 ? [poolOf(input, output, first)] : [poolOf(input, between, first), poolOf(output, ofSecond, second)]
      const tokens = { tokenIn: input.token.address, tokenOut: output.token.address }
      return findConversionRoute(states, { ...tokens, referenceToken: between.token.address })
    })
}

/** Returns a route that converts on what another pays. */
function join([start, end]: readonly [ConversionRoute, ConversionRoute]): ConversionRoute {
  const { token, price } = getTarget(start)
  const [{ pool, origin, target }] = end
  const entry = { ...origin, token, price }
  return [...start, { pool: { ...pool, base: entry }, origin: entry, target }]
}

const wad = 10n ** 18n

const arbitraryTerms = fc.record({
  alpha: fc.bigInt({ min: 1n, max: wad - 1n }),
  epsilon: fc.oneof(fc.constantFrom(0n, 5n * 10n ** 14n), fc.bigInt({ min: 0n, max: wad / 20n })),
})

function arbitrarySide(symbol: 'AUD' | 'EUR' | 'USD') {
  return fc
    .record({
      decimals: fc.constantFrom(0, 2, 6, 8, 18),
      answer: fc.bigInt({ min: 10n ** 2n, max: 10n ** 12n }),
      reserve: fc.integer({ min: 0, max: 24 }).chain((digits) => fc.bigInt({ min: 0n, max: 10n ** BigInt(digits) })),
    })
    .map(({ decimals, answer, reserve }) => ({ ...sideOf(symbol, answer, { decimals }), reserve }))
}
