import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { ServiceError } from '../errors/ServiceError.ts'
import { arbitraryWorlds } from '../../test/arbitraryWorlds.ts'
import { aud, eur, nowSeconds, poolOf, usd } from '../../test/pools.fixture.ts'
import { findConversionRoute, type ConversionRoute } from '../route/Route.ts'
import { toPricedHops, type PricedHop, type PricedRoute } from '../route/PricedHop.ts'
import { quoteRoute } from '../route/quoteRoute.ts'
import { quoteRouteExactOut } from '../route/quoteRouteExactOut.ts'
import { valueAtOracles } from '../route/valueAtOracles.ts'
import { explainConversion, type ConversionMode } from './explainConversion.ts'

const tokens = { tokenIn: aud.token.address, tokenOut: eur.token.address, referenceToken: usd.token.address }
const direct = findConversionRoute([poolOf(aud, eur)], tokens)
const twoHops = findConversionRoute([poolOf(aud, usd), poolOf(eur, usd)], tokens)
const foreign = findConversionRoute([poolOf(aud, eur, { pricing: 'on-chain' })], tokens)
const thousandRaw = 1_000_000_000n

describe('the parts of a conversion', () => {
  it('the parts of an exact input through one pool are the oracle amount and the fee', () => {
    const amountOutRaw = quoteRoute(direct, thousandRaw, nowSeconds)
    const conversion = { mode: 'exact-in', amountInRaw: thousandRaw, amountOutRaw } as const
    expect(explainConversion(toPricedHops(direct), conversion)).toEqual({
      oracleAmountOutRaw: 600_461_041n,
      impactRaw: 0n,
      feeRaw: 300_231n,
      roundingRaw: 0n,
      isExact: true,
    })
  })

  it('the parts of an exact output through two pools sum to the output, with both fees', () => {
    const amountInRaw = quoteRouteExactOut(twoHops, 599_860_730n, nowSeconds)
    const conversion = { mode: 'exact-out', amountInRaw, amountOutRaw: 599_860_730n } as const
    expect(explainConversion(toPricedHops(twoHops), conversion)).toMatchObject({
      impactRaw: 0n,
      feeRaw: 600_311n,
      isExact: true,
    })
  })

  it('the parts of a conversion at other prices sum to its output, and are not exact', () => {
    const conversion = { amountInRaw: thousandRaw, amountOutRaw: 599_000_000n }
    for (const mode of ['exact-in', 'exact-out'] as const) {
      const parts = explainConversion(toPricedHops(twoHops), { mode, ...conversion })
      expect(parts.isExact).toBe(false)
      expect(sumOf(parts)).toBe(599_000_000n)
    }
  })

  it('the impact of a pool priced on chain is the remainder, negative where it pays less than the oracles', () => {
    const hops = toPricedHops(foreign)
    const explain = (mode: ConversionMode, amountOutRaw: bigint) =>
      explainConversion(hops, { mode, amountInRaw: thousandRaw, amountOutRaw })
    const [feeRaw, oracleAmountOutRaw] = [300_231n, 600_461_041n]
    const less = { oracleAmountOutRaw, impactRaw: -160_810n, feeRaw, roundingRaw: 0n, isExact: false }
    expect(explain('exact-in', 600_000_000n)).toEqual(less)
    expect(explain('exact-in', 601_000_000n)).toMatchObject({ impactRaw: 839_190n, feeRaw })
    // The family adds the fee to an exact output.
    expect(explain('exact-out', 600_000_000n)).toMatchObject({ impactRaw: -161_041n, feeRaw: 300_000n })
  })

  it('the parts of a conversion without a price cannot be computed', () => {
    const [hop] = toPricedHops(direct)
    const conversion = { mode: 'exact-in', amountInRaw: 1n, amountOutRaw: 1n } as const
    for (const answer of [0n, -1n]) {
      expect(() => explainConversion([{ ...hop, tokenInAnswer: answer }], conversion)).toThrow(RangeError)
      expect(() => explainConversion([{ ...hop, tokenOutAnswer: answer }], conversion)).toThrow(RangeError)
    }
  })
})

const isExhaustive = inject('extent') === 'exhaustive'
describe.each([
  ['one pool', 1, 30_000],
  ['two pools', 2, 300_000],
] as const)('properties over random worlds with %s', (_, pools, exhaustiveRuns) => {
  const runs = { numRuns: isExhaustive ? exhaustiveRuns : 3000 }

  it('an exact input divides into the oracle amount, the fees and a bounded rounding', { timeout: 600_000 }, () => {
    let explained = 0
    fc.assert(
      fc.property(arbitraryWorlds(pools), ({ route, amountRaw }) => {
        const amountOutRaw = tryQuote(() => quoteRoute(route, amountRaw, nowSeconds))
        if (amountOutRaw === undefined) return
        explained++
        const hops = toPricedHops(route)
        const parts = explainConversion(hops, { mode: 'exact-in', amountInRaw: amountRaw, amountOutRaw })
        expectSum(parts, { hops, amountInRaw: amountRaw, amountOutRaw })
        expect(parts.feeRaw).toBe(feeOfInput(hops, amountRaw))
        const mostRaw = pools === 1 ? 0n : 1n + unitValueOf(hops.slice(1))
        expectBetween(parts.roundingRaw, mostRaw)
      }),
      runs,
    )
    expect(explained).toBeGreaterThan(runs.numRuns / 3)
  })

  it('an exact output divides into the oracle amount, the fees and a bounded rounding', { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(arbitraryWorlds(pools), ({ route, amountRaw }) => {
        const amountInRaw = quoteRouteExactOut(route, amountRaw, nowSeconds)
        const hops = toPricedHops(route)
        const parts = explainConversion(hops, { mode: 'exact-out', amountInRaw, amountOutRaw: amountRaw })
        expectSum(parts, { hops, amountInRaw, amountOutRaw: amountRaw })
        expect(parts.feeRaw).toBe(feeOfOutput(route, amountRaw))
        const ofBetweenRaw = pools === 1 ? 0n : unitValueOf(hops.slice(1))
        expectBetween(parts.roundingRaw, unitValueOf(hops) + ofBetweenRaw)
      }),
      runs,
    )
  })

  it('the input of an exact output buys at least the output, and one unit less does not', { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(arbitraryWorlds(pools), ({ route, amountRaw }) => {
        const amountInRaw = quoteRouteExactOut(route, amountRaw, nowSeconds)
        const bought = (raw: bigint) => tryQuote(() => quoteRoute(route, raw, nowSeconds)) ?? 0n
        expect(bought(amountInRaw) >= amountRaw).toBe(true)
        expect(bought(amountInRaw - 1n) < amountRaw).toBe(true)
      }),
      runs,
    )
  })
})

type Parts = explainConversion.Parts

function sumOf({ oracleAmountOutRaw, impactRaw, feeRaw, roundingRaw }: Parts): bigint {
  return oracleAmountOutRaw + impactRaw - feeRaw - roundingRaw
}

type Amounts = { readonly hops: PricedRoute; readonly amountInRaw: bigint; readonly amountOutRaw: bigint }

function expectSum(parts: Parts, { hops, amountInRaw, amountOutRaw }: Amounts): void {
  expect(sumOf(parts)).toBe(amountOutRaw)
  const [numerator, denominator] = priceOf(hops)
  expect(parts.oracleAmountOutRaw).toBe((amountInRaw * numerator) / denominator)
  expect(parts).toMatchObject({ impactRaw: 0n, isExact: true })
}

function expectBetween(roundingRaw: bigint, mostRaw: bigint): void {
  expect(roundingRaw >= 0n).toBe(true)
  expect(roundingRaw <= mostRaw, `${roundingRaw} > ${mostRaw}`).toBe(true)
}

/** Returns the value of one raw unit of the first token in raw units of the last token, rounded up. */
function unitValueOf(hops: readonly PricedHop[]): bigint {
  const [numerator, denominator] = priceOf(hops)
  return (numerator + denominator - 1n) / denominator
}

/** Returns the price of a raw unit as a fraction. */
function priceOf(hops: readonly PricedHop[]): readonly [bigint, bigint] {
  return hops.reduce<[bigint, bigint]>(
    ([numerator, denominator], hop) => [
      numerator * hop.tokenInAnswer * 10n ** BigInt(hop.decimalsOut),
      denominator * hop.tokenOutAnswer * 10n ** BigInt(hop.decimalsIn),
    ],
    [1n, 1n],
  )
}

/**
 * Returns the fees on the amounts before them, rounded up at each hop. The fee of a first hop is valued in the last
 * token.
 */
function feeOfInput([first, second]: PricedRoute, amountInRaw: bigint): bigint {
  const grossRaw = valueAtOracles([first], amountInRaw)
  const feeRaw = roundUp(grossRaw * first.epsilon)
  return second ? valueAtOracles([second], feeRaw) + feeOfInput([second], grossRaw - feeRaw) : feeRaw
}

/** Returns what each pool charges on the amount that leaves it. The fee of a first pool is valued in the last token. */
function feeOfOutput([first, second]: ConversionRoute, amountOutRaw: bigint): bigint {
  const chargeOf = ({ pool: { epsilon } }: ConversionRoute[0], raw: bigint) =>
    (raw * wad + wad - epsilon - 1n) / (wad - epsilon) - raw
  if (!second) return chargeOf(first, amountOutRaw)
  const betweenRaw = quoteRouteExactOut([second], amountOutRaw, nowSeconds)
  return valueAtOracles(toPricedHops([second]), chargeOf(first, betweenRaw)) + chargeOf(second, amountOutRaw)
}

const wad = 10n ** 18n

function roundUp(scaled: bigint): bigint {
  return (scaled + wad - 1n) / wad
}

/** Returns the output of a quote; undefined for an amount whose output is zero. */
function tryQuote(quote: () => bigint): bigint | undefined {
  try {
    return quote()
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'svc/amount-too-small') return undefined
    throw error
  }
}
