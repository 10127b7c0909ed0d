import { expect, it } from 'vitest'
import { aud, eur, poolOf, usd } from '../../test/pools.fixture.ts'
import { findConversionRoute } from './Route.ts'

const [audUsd, eurUsd, audEur] = [poolOf(aud, usd), poolOf(eur, usd), poolOf(aud, eur)]
const request = { tokenIn: aud.token.address, tokenOut: eur.token.address, referenceToken: usd.token.address }

it('the route of a conversion is the direct pool if one exists, in either order of its tokens', () => {
  expect(findConversionRoute([audUsd, eurUsd, audEur], request).map(({ pool }) => pool)).toEqual([audEur])
  const back = { ...request, tokenIn: request.tokenOut, tokenOut: request.tokenIn }
  expect(findConversionRoute([audUsd, eurUsd, audEur], back).map(({ pool }) => pool)).toEqual([audEur])
})

it('the route of a conversion without a direct pool goes through the reference token', () => {
  const route = findConversionRoute([audUsd, eurUsd], request)
  expect(route.map(({ pool }) => pool)).toEqual([audUsd, eurUsd])
  expect(route.map(({ origin, target }) => [origin.token.address, target.token.address])).toEqual([
    [aud.token.address, usd.token.address],
    [usd.token.address, eur.token.address],
  ])
})

it('error: svc/no-route when no pools connect the tokens', () => {
  expect(() => findConversionRoute([audUsd], request)).toThrow(expect.objectContaining({ code: 'svc/no-route' }))
})

it('error: svc/invalid-request for the conversion of a token into itself', () => {
  const same = { ...request, tokenOut: request.tokenIn }
  expect(() => findConversionRoute([audUsd], same)).toThrow(expect.objectContaining({ code: 'svc/invalid-request' }))
})
