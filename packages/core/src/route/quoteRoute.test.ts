import { expect, it } from 'vitest'
import type { ServiceError } from '../errors/ServiceError.ts'
import { aud, eur, nowSeconds, poolOf, sideOf, usd } from '../../test/pools.fixture.ts'
import { findConversionRoute } from './Route.ts'
import { quoteRoute } from './quoteRoute.ts'

const request = { tokenIn: aud.token.address, tokenOut: eur.token.address, referenceToken: usd.token.address }

it('the second pool of a route takes the rounded output of the first', () => {
  const route = findConversionRoute([poolOf(aud, usd), poolOf(eur, usd)], request)
  expect(quoteRoute(route, 1_000_000_000n, nowSeconds)).toBe(599_860_730n)
})

it("error: svc/above-max-origin names the second pool's limit in the first token, to the last raw unit", () => {
  const small = poolOf(sideOf('EUR', 108_450_000n, { whole: 1_000n }), sideOf('USD', 100_000_000n, { whole: 1_000n }))
  const route = findConversionRoute([poolOf(aud, usd), small], request)
  const refusal = catchError(() => quoteRoute(route, 100_000_000_000n, nowSeconds))
  expect(refusal).toMatchObject({ code: 'svc/above-max-origin', details: { amountIn: '100000.000000' } })
  const { maxAmountIn = '' } = (refusal as ServiceError<'svc/above-max-origin'>).details
  const maxRaw = BigInt(maxAmountIn.replace('.', ''))
  expect(() => quoteRoute(route, maxRaw, nowSeconds)).not.toThrow()
  expect(catchError(() => quoteRoute(route, maxRaw + 1n, nowSeconds))).toMatchObject({ code: 'svc/above-max-origin' })
})

function catchError(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}
