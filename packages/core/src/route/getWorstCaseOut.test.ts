import { expect, it } from 'vitest'
import { poolOf, sideOf, usd } from '../../test/pools.fixture.ts'
import { findConversionRoute } from './Route.ts'
import { getQuoteForWorstCase, getWorstCaseOut } from './getWorstCaseOut.ts'

const [aud, eur] = [sideOf('AUD', 65_120_000n, { decimals: 18 }), sideOf('EUR', 108_450_000n, { decimals: 2 })]
const tokens = { tokenIn: eur.token.address, tokenOut: aud.token.address, referenceToken: usd.token.address }
const routeOf = (first: 'local' | 'on-chain', second: 'local' | 'on-chain') =>
  findConversionRoute([poolOf(eur, usd, { pricing: first }), poolOf(aud, usd, { pricing: second })], tokens)

it('the worst-case output is the quote if all pools are priced locally', () => {
  expect(getWorstCaseOut(routeOf('local', 'local'), 1000n)).toBe(1000n)
})

it('the worst-case output is two raw units less after a pool that is priced on chain', () => {
  const direct = findConversionRoute([poolOf(eur, usd, { pricing: 'on-chain' })], {
    ...tokens,
    tokenOut: usd.token.address,
  })
  expect(getWorstCaseOut(direct, 1000n)).toBe(998n)
  expect(getWorstCaseOut(routeOf('local', 'on-chain'), 1000n)).toBe(998n)
})

it('the worst-case output has the tolerance of the first pool in the last token, for any decimals', () => {
  const unit = 10n ** 18n
  // Two millionths of a dollar are three millionths of an AUD, and may be worth a little more at the pool.
  const missing = unit - getWorstCaseOut(routeOf('on-chain', 'local'), unit)
  expect(missing).toBeGreaterThan(3n * 10n ** 12n)
  expect(missing).toBeLessThan(7n * 10n ** 12n)
  expect(getWorstCaseOut(routeOf('on-chain', 'on-chain'), unit)).toBe(unit - missing - 2n)
})

it('the worst-case output is never below zero', () => {
  expect(getWorstCaseOut(routeOf('on-chain', 'on-chain'), 1n)).toBe(0n)
})

it('the quote for a worst-case output is the smallest with that worst case', () => {
  const route = routeOf('on-chain', 'on-chain')
  const quoteRaw = getQuoteForWorstCase(route, 1n)
  expect([getWorstCaseOut(route, quoteRaw), getWorstCaseOut(route, quoteRaw - 1n)]).toEqual([1n, 0n])
  expect(getQuoteForWorstCase(routeOf('local', 'local'), 1000n)).toBe(1000n)
})
