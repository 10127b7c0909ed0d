import { expect, it } from 'vitest'
import type { ServiceError } from '../errors/ServiceError.ts'
import { aud, eur, nowSeconds, poolOf, sideOf, usd } from '../../test/pools.fixture.ts'
import { findConversionRoute } from './Route.ts'
import { quoteRoute } from './quoteRoute.ts'
import { quoteRouteExactOut } from './quoteRouteExactOut.ts'

const request = { tokenIn: aud.token.address, tokenOut: eur.token.address, referenceToken: usd.token.address }
const small = poolOf(sideOf('EUR', 108_450_000n, { whole: 1_000n }), sideOf('USD', 100_000_000n, { whole: 1_000n }))
const outputRaw = 100_000_000_000n

it('the first pool of a route for an exact output pays what the second takes', () => {
  const route = findConversionRoute([poolOf(aud, usd), poolOf(eur, usd)], request)
  expect(quoteRouteExactOut(route, 599_860_730n, nowSeconds)).toBe(1_000_000_000n)
})

it("error: svc/above-max-origin of an exact output names the second pool's limit in the first token", () => {
  const route = findConversionRoute([poolOf(aud, usd), small], request)
  const refusal = catchError(() => quoteRouteExactOut(route, outputRaw, nowSeconds))
  expect(refusal).toMatchObject({ code: 'svc/above-max-origin' })
  const { amountIn = '', maxAmountIn = '' } = (refusal as ServiceError<'svc/above-max-origin'>).details
  expect(amountIn).toBe('166705.361476')
  const maxRaw = BigInt(maxAmountIn.replace('.', ''))
  expect(() => quoteRoute(route, maxRaw, nowSeconds)).not.toThrow()
  expect(catchError(() => quoteRoute(route, maxRaw + 1n, nowSeconds))).toMatchObject({ code: 'svc/above-max-origin' })
})

it("error: svc/above-max-origin of an exact output names the first pool's limit if it is the lower one", () => {
  const [base, quote] = [sideOf('AUD', 65_120_000n, { whole: 1_000n }), sideOf('USD', 100_000_000n, { whole: 600n })]
  const route = findConversionRoute([poolOf(base, quote), small], request)
  const limits = [quoteLimit(route, 400_000_000n), quoteLimit(route, outputRaw)]
  expect(limits[0]).toBe(limits[1])
  expect(() => quoteRoute(route, BigInt(limits[0]?.replace('.', '') ?? ''), nowSeconds)).not.toThrow()
})

it('error: svc/stale-price of the first pool comes before the limit of the second, which it would price', () => {
  const unpriced = { ...aud, price: { ...aud.price, answer: 0n } }
  const route = findConversionRoute([poolOf(unpriced, usd), small], request)
  expect(catchError(() => quoteRouteExactOut(route, outputRaw, nowSeconds))).toMatchObject({ code: 'svc/stale-price' })
})

function quoteLimit(...[route, amountOutRaw]: [Parameters<typeof quoteRouteExactOut>[0], bigint]) {
  const refusal = catchError(() => quoteRouteExactOut(route, amountOutRaw, nowSeconds))
  expect(refusal).toMatchObject({ code: 'svc/above-max-origin' })
  return (refusal as ServiceError<'svc/above-max-origin'>).details.maxAmountIn
}

function catchError(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}
