import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { catchError } from '../../test/catchError.ts'
import { aud, eur, nowSeconds, poolOf, sideOf, usd } from '../../test/pools.fixture.ts'
import { ServiceError } from '../errors/ServiceError.ts'
import * as Hop from './Hop.ts'
import type * as Pool from './Pool.ts'
import * as PoolMath from './PoolMath.ts'

const pool = poolOf(aud, usd)
const usdToAud = (of: Pool.Pool): Hop.Hop => ({ pool: of, origin: of.quote, target: of.base })
const audToUsd = (of: Pool.Pool): Hop.Hop => ({ pool: of, origin: of.base, target: of.quote })

describe('the vectors of the design', () => {
  it('a pool pays 1534858721 raw AUD for 1000 USD, with a fee of 767814', () => {
    const price = PoolMath.priceExactIn(usdToAud(pool), 1_000_000_000n, nowSeconds)
    expect(price).toEqual({ amountOutRaw: 1_534_858_721n, feeRaw: 767_814n })
  })

  it('a pool pays 650874400 raw USD for 1000 AUD', () => {
    const { amountOutRaw } = PoolMath.priceExactIn(audToUsd(pool), 1_000_000_000n, nowSeconds)
    expect(amountOutRaw).toBe(650_874_400n)
  })

  it('a direct pool pays 600160 raw EUR for 1 AUD', () => {
    const direct = poolOf(aud, eur)
    const hop = Hop.from(direct, aud.token.address, eur.token.address)
    expect(PoolMath.priceExactIn(hop, 1_000_000n, nowSeconds)).toEqual({ amountOutRaw: 600_160n, feeRaw: 301n })
  })

  it('a pool takes 651525764 raw USD for exactly 1000 AUD', () => {
    expect(PoolMath.priceExactOut(usdToAud(pool), 1_000_000_000n, nowSeconds)).toBe(651_525_764n)
  })

  it('a pool with balanced reserves takes at most 238400 USD', () => {
    expect(PoolMath.maxOrigin(usdToAud(pool))).toBe(238_400_000_000n)
  })
})

describe('errors', () => {
  const stale = (ageSeconds: bigint) => {
    const price = { ...aud.price, updatedAtSeconds: nowSeconds - ageSeconds }
    return poolOf({ ...aud, price }, usd)
  }
  const refusalOf = (of: Pool.Pool, amountRaw = 10n ** 6n) =>
    catchError(() => PoolMath.priceExactIn(usdToAud(of), amountRaw, nowSeconds))
  const unpriced = poolOf({ ...aud, price: { ...aud.price, answer: 0n } }, usd)

  it.each([
    ['svc/amount-too-small', 'when one raw unit of USD buys nothing', pool, 1n],
    ['svc/stale-price', 'when the price is from the future', stale(-1n), 10n ** 6n],
    ['svc/stale-price', 'when the price is zero', unpriced, 10n ** 6n],
    ['svc/pool-frozen', 'for a frozen pool, before any other error', { ...stale(9999n), frozen: true }, 1n],
  ])('error: %s %s', (code, _, of, amountRaw) => {
    expect(refusalOf(of, amountRaw)).toMatchObject({ code })
  })

  it('error: svc/stale-price when the price is one second over an hour old, and not before', () => {
    expect(refusalOf(stale(3600n))).toBeUndefined()
    const { code, details } = refusalOf(stale(3601n)) as ServiceError
    expect(code).toBe('svc/stale-price')
    const updatedAt = '2027-01-15T06:59:59.000Z'
    expect(details).toEqual({ oracle: aud.price.oracle, updatedAt, reason: 'age', maxAgeSeconds: 3600 })
  })

  it('error: svc/above-max-origin one raw unit above the limit, with both amounts', () => {
    expect(refusalOf(pool, 238_400_000_000n)).toBeUndefined()
    const { code, details } = refusalOf(pool, 238_400_000_001n) as ServiceError
    expect(code).toBe('svc/above-max-origin')
    expect(details).toEqual({ amountIn: '238400.000001', maxAmountIn: '238400.000000' })
  })

  it('error: svc/unsupported-token when the pool does not hold one of the tokens', () => {
    const refusal = catchError(() => Hop.from(pool, eur.token.address, usd.token.address))
    expect(refusal).toMatchObject({ code: 'svc/unsupported-token' })
  })
})

describe('properties over random pools', () => {
  const decimals = fc.constantFrom(2, 6, 18)
  const answer = fc.bigInt({ min: 1_000_000n, max: 500_000_000n })
  const whole = fc.bigInt({ min: 1_000n, max: 10_000_000n })
  const anyPool = fc
    .tuple(answer, decimals, whole, decimals, whole)
    .map(([price, baseDecimals, baseWhole, quoteDecimals, quoteWhole]) =>
      poolOf(
        sideOf('AUD', price, { decimals: baseDecimals, whole: baseWhole }),
        sideOf('USD', 100_000_000n, { decimals: quoteDecimals, whole: quoteWhole }),
      ),
    )

  it('a round trip through a pool never gains', () => {
    fc.assert(
      fc.property(anyPool, fc.bigInt({ min: 1n, max: 10n ** 24n }), (state, seed) => {
        const limit = PoolMath.maxOrigin(usdToAud(state))
        fc.pre(limit > 0n)
        const amountInRaw = 1n + (seed % limit)
        const there = tryPrice(() => PoolMath.priceExactIn(usdToAud(state), amountInRaw, nowSeconds).amountOutRaw)
        fc.pre(there !== undefined)
        const back = tryPrice(() => PoolMath.priceExactIn(audToUsd(state), there ?? 0n, nowSeconds).amountOutRaw)
        expect(back ?? 0n).toBeLessThanOrEqual(amountInRaw)
      }),
    )
  })

  it('the input of priceExactOut buys at least the output, and one unit less does not', () => {
    fc.assert(
      fc.property(anyPool, fc.bigInt({ min: 1n, max: 10n ** 24n }), (state, seed) => {
        const amountOutRaw = 1n + (seed % (state.base.reserve / 4n))
        const amountInRaw = tryPrice(() => PoolMath.priceExactOut(usdToAud(state), amountOutRaw, nowSeconds))
        fc.pre(amountInRaw !== undefined && amountInRaw > 1n)
        const bought = (raw: bigint) =>
          tryPrice(() => PoolMath.priceExactIn(usdToAud(state), raw, nowSeconds).amountOutRaw) ?? 0n
        expect(bought(amountInRaw ?? 0n)).toBeGreaterThanOrEqual(amountOutRaw)
        expect(bought((amountInRaw ?? 0n) - 1n)).toBeLessThan(amountOutRaw)
      }),
    )
  })

  it('a larger input into a pool never pays less', () => {
    fc.assert(
      fc.property(anyPool, fc.bigInt({ min: 1n, max: 10n ** 24n }), (state, seed) => {
        const limit = PoolMath.maxOrigin(audToUsd(state))
        fc.pre(limit > 1n)
        const amountInRaw = 1n + (seed % (limit - 1n))
        const paid = (raw: bigint) =>
          tryPrice(() => PoolMath.priceExactIn(audToUsd(state), raw, nowSeconds).amountOutRaw) ?? 0n
        expect(paid(amountInRaw + 1n)).toBeGreaterThanOrEqual(paid(amountInRaw))
      }),
    )
  })
})

function tryPrice(price: () => bigint): bigint | undefined {
  try {
    return price()
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}
