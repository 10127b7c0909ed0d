import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { catchError } from '../../test/catchError.ts'
import { aud, eur, nowSeconds, poolOf, sideOf, usd } from '../../test/pools.fixture.ts'
import { curvePoolOf } from '../../test/curvePools.fixture.ts'
import * as Amount from '../amount/Amount.ts'
import { ServiceError } from '../errors/ServiceError.ts'
import * as Route from './Route.ts'

const [audUsd, eurUsd, audEur] = [poolOf(aud, usd), poolOf(eur, usd), poolOf(aud, eur)]
const request = { tokenIn: aud.token.address, tokenOut: eur.token.address, referenceToken: usd.token.address }

it('the route of a conversion is the direct pool if one exists, in either order of its tokens', () => {
  expect(Route.get([audUsd, eurUsd, audEur], request).map(({ pool }) => pool)).toEqual([audEur])
  const back = { ...request, tokenIn: request.tokenOut, tokenOut: request.tokenIn }
  expect(Route.get([audUsd, eurUsd, audEur], back).map(({ pool }) => pool)).toEqual([audEur])
})

it('the route of a conversion without a direct pool goes through the reference token', () => {
  const route = Route.get([audUsd, eurUsd], request)
  expect(route.map(({ pool }) => pool)).toEqual([audUsd, eurUsd])
  expect(route.map(({ origin, target }) => [origin.token.address, target.token.address])).toEqual([
    [aud.token.address, usd.token.address],
    [usd.token.address, eur.token.address],
  ])
})

it('error: svc/invalid-request for the conversion of a token into itself', () => {
  const same = { ...request, tokenOut: request.tokenIn }
  expect(() => Route.get([audUsd], same)).toThrow(expect.objectContaining({ code: 'svc/invalid-request' }))
})

describe.each([1, 2] as const)('the amounts that a refusal of %i pools names', (pools) => {
  const routes = fc.oneof(arbitraryRoute(pools), arbitraryCurveRoute(pools))

  it('a limit or a nearest amount is paid', () => {
    let named = 0
    fc.assert(
      fc.property(routes, fc.double({ min: 1.000001, max: 20, noNaN: true }), (route, factor) => {
        const amountRaw = BigInt(Math.ceil(Number(Route.maxInput(route)) * factor)) + 1n
        for (const price of [Route.priceExactIn, Route.priceExactOut]) {
          const refusal = catchError(() => price(route, amountRaw, nowSeconds))
          const { maxAmountIn, nearestAmountIn } = ((refusal as ServiceError | undefined)?.details ?? {}) as Readonly<
            Record<string, string>
          >
          const amountIn = maxAmountIn ?? nearestAmountIn
          if (amountIn === undefined) continue
          named += 1
          const { decimals } = Route.getOrigin(route).token
          expect(outcomeOf(route, Amount.parse(amountIn, decimals))).toBeTypeOf('bigint')
        }
      }),
      // Twice as many as the bound needs on average.
      { numRuns: 200 },
    )
    expect(named).toBeGreaterThan(50)
  })
})

/** Creates routes over pools of the family, whose curves have halts and gaps. */
function arbitraryCurveRoute(pools: 1 | 2): fc.Arbitrary<Route.Route> {
  const balances = fc.bigInt({ min: 10n ** 9n, max: 10n ** 13n })
  const curves = fc.tuple(balances, balances, fc.integer({ min: 0, max: 400 }))
  return fc.tuple(curves, curves).map((both) => {
    const states = both.map(([baseRaw, quoteRaw, penalty], index) => {
      const curve = curvePoolOf({ balanceRaw: baseRaw })
      const steep = {
        ...curve,
        delta: curve.delta * BigInt(penalty),
        sides: [curve.sides[0], { ...curve.sides[1], balanceRaw: quoteRaw }] as const,
      }
      return poolOf(
        { ...([aud, eur][index] as typeof aud), reserve: baseRaw },
        { ...usd, reserve: quoteRaw },
        { curve: steep, pricing: 'curve' },
      )
    })
    const tokenOut = pools === 1 ? usd.token.address : eur.token.address
    return Route.get(states, { ...request, tokenOut })
  })
}

describe('priceExactOut', () => {
  const small = poolOf(sideOf('EUR', 108_450_000n, { whole: 1_000n }), sideOf('USD', 100_000_000n, { whole: 1_000n }))
  const outputRaw = 100_000_000_000n

  it.each([
    ['input', Route.priceExactIn, '100000.000000'],
    ['output', Route.priceExactOut, '166705.361476'],
  ] as const)(
    "error: svc/above-max-origin of an exact %s names the second pool's limit in the first token, to the last raw unit",
    (_, price, amountIn) => {
      const route = Route.get([poolOf(aud, usd), small], request)
      const refusal = catchError(() => price(route, outputRaw, nowSeconds))
      expect(refusal).toMatchObject({ code: 'svc/above-max-origin', details: { amountIn } })
      const { maxAmountIn = '' } = (refusal as ServiceError<'svc/above-max-origin'>).details
      const maxRaw = BigInt(maxAmountIn.replace('.', ''))
      expect(outcomeOf(route, maxRaw)).toBeTypeOf('bigint')
      expect(outcomeOf(route, maxRaw + 1n)).toBe('svc/above-max-origin')
    },
  )

  it('error: svc/stale-price of the first pool comes before the limit of the second, which it would price', () => {
    const unpriced = { ...aud, price: { ...aud.price, answer: 0n } }
    const route = Route.get([poolOf(unpriced, usd), small], request)
    expect(catchError(() => Route.priceExactOut(route, outputRaw, nowSeconds))).toMatchObject({
      code: 'svc/stale-price',
    })
  })
})

describe.each([1, 2, 3] as const)('the limits of a route over %i pools', (pools) => {
  it('the largest input is refused by no limit, and one unit more is', () => {
    fc.assert(
      fc.property(arbitraryRoute(pools), (route) => {
        for (const either of [route, Route.reverse(route)]) {
          const maxRaw = Route.maxInput(either)
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
        const [minRaw, maxRaw] = [Route.minInput(route), Route.maxInput(route)]
        expect(minRaw).toBeGreaterThan(0n)
        expect(outcomeOf(route, minRaw)).toBeTypeOf(minRaw <= maxRaw ? 'bigint' : 'string')
        expect(outcomeOf(route, minRaw - 1n)).toBe(minRaw - 1n <= maxRaw ? tooSmall : 'svc/above-max-origin')
      }),
      { numRuns: 3000 },
    )
  })
})

it('the reverse of a route goes through the same pools in the other order', () => {
  const [route] = fc.sample(arbitraryRoute(2), { numRuns: 1, seed: 1 }) as [Route.Route]
  const [first, second] = route
  const back = Route.reverse(route)
  expect(back.map(({ pool }) => pool)).toEqual([second?.pool, first.pool])
  expect([back[0].origin, back[1]?.target]).toEqual([second?.target, first.origin])
  expect(back[0].target.token).toEqual(back[1]?.origin.token)
})

const tooSmall = 'svc/amount-too-small'

/** Returns what an input pays, or the code of its refusal. */
function outcomeOf(route: Route.Route, amountInRaw: bigint): bigint | string {
  try {
    return Route.priceExactIn(route, amountInRaw, nowSeconds)
  } catch (error) {
    if (error instanceof ServiceError) return error.code
    throw error
  }
}

/** Creates routes whose reserves, prices, fees, halts and decimals make limits of any size, even below one unit. */
function arbitraryRoute(pools: 1 | 2 | 3): fc.Arbitrary<Route.Route> {
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
      return Route.get(states, { ...tokens, referenceToken: between.token.address })
    })
}

/** Returns a route that converts on what another pays. */
function join([start, end]: readonly [Route.Route, Route.Route]): Route.Route {
  const { token, price } = Route.getTarget(start)
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

describe('the worst case of a route', () => {
  const [aud, eur] = [sideOf('AUD', 65_120_000n, { decimals: 18 }), sideOf('EUR', 108_450_000n, { decimals: 2 })]
  const tokens = { tokenIn: eur.token.address, tokenOut: aud.token.address, referenceToken: usd.token.address }
  const routeOf = (first: 'local' | 'on-chain', second: 'local' | 'on-chain') =>
    Route.get([poolOf(eur, usd, { pricing: first }), poolOf(aud, usd, { pricing: second })], tokens)

  it('the worst-case output is the priced output if all pools are priced locally', () => {
    expect(Route.toWorstCaseOut(routeOf('local', 'local'), 1000n)).toBe(1000n)
  })

  it('the worst-case output is two raw units less after a pool that is priced on chain', () => {
    const direct = Route.get([poolOf(eur, usd, { pricing: 'on-chain' })], {
      ...tokens,
      tokenOut: usd.token.address,
    })
    expect(Route.toWorstCaseOut(direct, 1000n)).toBe(998n)
    expect(Route.toWorstCaseOut(routeOf('local', 'on-chain'), 1000n)).toBe(998n)
  })

  it('the worst-case output has the tolerance of the first pool in the last token, for any decimals', () => {
    const unit = 10n ** 18n
    // Two millionths of a dollar are three millionths of an AUD, and may be worth a little more at the pool.
    const missing = unit - Route.toWorstCaseOut(routeOf('on-chain', 'local'), unit)
    expect(missing).toBeGreaterThan(3n * 10n ** 12n)
    expect(missing).toBeLessThan(7n * 10n ** 12n)
    expect(Route.toWorstCaseOut(routeOf('on-chain', 'on-chain'), unit)).toBe(unit - missing - 2n)
  })

  it('the worst-case output is never below zero', () => {
    expect(Route.toWorstCaseOut(routeOf('on-chain', 'on-chain'), 1n)).toBe(0n)
  })

  it('the priced output of a worst case is the smallest with that worst case', () => {
    const route = routeOf('on-chain', 'on-chain')
    const pricedRaw = Route.fromWorstCaseOut(route, 1n)
    expect([Route.toWorstCaseOut(route, pricedRaw), Route.toWorstCaseOut(route, pricedRaw - 1n)]).toEqual([1n, 0n])
    expect(Route.fromWorstCaseOut(routeOf('local', 'local'), 1000n)).toBe(1000n)
  })
})
