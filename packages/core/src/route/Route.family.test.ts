import fc from 'fast-check'
import { expect, it } from 'vitest'
import { curvePoolOf } from '../../test/curvePools.fixture.ts'
import { aud, eur, nowSeconds, poolOf, sideOf, usd } from '../../test/pools.fixture.ts'
import { ServiceError } from '../errors/ServiceError.ts'
import * as Route from './Route.ts'

const request = { tokenIn: aud.token.address, tokenOut: eur.token.address, referenceToken: usd.token.address }

const wad = 10n ** 18n

/** Creates the terms of a pool of the family: up to ten million dollars, with 28 to 72 % on the foreign side. */
const arbitraryCurve = fc.record({
  decimals: fc.constantFrom(2, 6, 8, 18),
  answer: fc.bigInt({ min: 50_000_000n, max: 150_000_000n }),
  cents: fc.bigInt({ min: 10n ** 6n, max: 10n ** 9n }),
  percent: fc.bigInt({ min: 28n, max: 72n }),
})

type CurveTerms = typeof arbitraryCurve extends fc.Arbitrary<infer Terms> ? Terms : never

/** Returns a route through two pools of the family, from a token through the dollar to another token. */
function familyRoute([first, second]: readonly [CurveTerms, CurveTerms], between: number): Route.Route {
  const toPool = (symbol: 'AUD' | 'EUR', { decimals, answer, cents, percent }: CurveTerms) => {
    const toCurveSide = (tokenDecimals: number, price: bigint, share: bigint) => {
      const balanceRaw = (cents * share * 10n ** BigInt(tokenDecimals + 4)) / price
      return { balanceRaw, answer: price, oracleDecimals: 8, tokenDecimals }
    }
    const [base, quote] = [
      toCurveSide(decimals, answer, percent),
      toCurveSide(between, usd.price.answer, 100n - percent),
    ]
    const curve = { ...curvePoolOf(), sides: [base, quote] as const }
    const sides = [
      sideOf(symbol, answer, { decimals }),
      sideOf('USD', usd.price.answer, { decimals: between }),
    ] as const
    return poolOf(...sides, { pricing: 'curve', curve })
  }
  return Route.get([toPool('AUD', first), toPool('EUR', second)], request)
}

it('a route over two pools of the family pays for its largest input, and for none worth a millionth of a dollar more', () => {
  const terms = fc.record({
    first: arbitraryCurve,
    second: arbitraryCurve,
    between: fc.constantFrom(6, 18),
    share: fc.bigInt({ min: 0n, max: wad }),
  })
  fc.assert(
    fc.property(terms, ({ first, second, between, share }) => {
      const route = familyRoute([first, second], between)
      const { token, price } = route[0].origin
      const maxRaw = Route.findMaxInput(route, nowSeconds) ?? 0n
      expect(outcomeOf(route, maxRaw)).toBeTypeOf('bigint')
      expect(outcomeOf(route, maxRaw + 1n)).toBeTypeOf('string')
      const millionthRaw = (10n ** BigInt(token.decimals) * 100n) / price.answer + 1n
      for (const spanRaw of [1000n * millionthRaw, maxRaw]) {
        expect(outcomeOf(route, maxRaw + millionthRaw + (spanRaw * share) / wad)).toBeTypeOf('string')
      }
    }),
    { numRuns: 150 },
  )
})

/** Returns what an input pays, or the code of its refusal. */
function outcomeOf(route: Route.Route, amountInRaw: bigint): bigint | string {
  try {
    return Route.priceExactIn(route, amountInRaw, nowSeconds)
  } catch (error) {
    if (error instanceof ServiceError) return error.code
    throw error
  }
}
