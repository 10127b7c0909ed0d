import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { arbitraryWorlds } from '../../test/arbitraryWorlds.ts'
import { aud, eur, nowSeconds, poolOf, sideOf, usd } from '../../test/pools.fixture.ts'
import { ServiceError } from '../errors/ServiceError.ts'
import * as PricedRoute from '../route/PricedRoute.ts'
import * as Route from '../route/Route.ts'
import * as Conversion from './Conversion.ts'

const tokens = { tokenIn: aud.token.address, tokenOut: eur.token.address, referenceToken: usd.token.address }
const direct = Route.get([poolOf(aud, eur)], tokens)
const twoHops = Route.get([poolOf(aud, usd), poolOf(eur, usd)], tokens)
const foreign = Route.get([poolOf(aud, eur, { pricing: 'on-chain' })], tokens)
const thousandRaw = 1_000_000_000n

describe('the parts of a conversion', () => {
  it('the parts of a conversion at other prices sum to its output, and are not exact', () => {
    const conversion = { amountInRaw: thousandRaw, amountOutRaw: 599_000_000n }
    for (const mode of ['exact-in', 'exact-out'] as const) {
      const parts = Conversion.explain(PricedRoute.from(twoHops), { mode, ...conversion })
      expect(parts.isExact).toBe(false)
      expect(sumOf(parts)).toBe(599_000_000n)
    }
  })

  it('the impact of a pool priced on chain is the remainder, negative where it pays less than the oracles', () => {
    const hops = PricedRoute.from(foreign)
    const explain = (mode: Conversion.Mode, amountOutRaw: bigint) =>
      Conversion.explain(hops, { mode, amountInRaw: thousandRaw, amountOutRaw })
    const [feeRaw, oracleAmountOutRaw] = [300_231n, 600_461_041n]
    const less = { oracleAmountOutRaw, impactRaw: -160_810n, feeRaw, roundingRaw: 0n, isExact: false }
    expect(explain('exact-in', 600_000_000n)).toEqual(less)
    expect(explain('exact-in', 601_000_000n)).toMatchObject({ impactRaw: 839_190n, feeRaw })
    // The family adds the fee to an exact output.
    expect(explain('exact-out', 600_000_000n)).toMatchObject({ impactRaw: -161_041n, feeRaw: 300_000n })
  })

  it('the parts of a conversion without a price cannot be computed', () => {
    const [hop] = PricedRoute.from(direct)
    const conversion = { mode: 'exact-in', amountInRaw: 1n, amountOutRaw: 1n } as const
    for (const answer of [0n, -1n]) {
      expect(() => Conversion.explain([{ ...hop, tokenInAnswer: answer }], conversion)).toThrow(RangeError)
      expect(() => Conversion.explain([{ ...hop, tokenOutAnswer: answer }], conversion)).toThrow(RangeError)
    }
  })
})

const isNightly = inject('extent') === 'nightly'
describe.each([
  ['one pool', 1, 30_000],
  ['two pools', 2, 300_000],
] as const)('properties over random worlds with %s', (_, pools, nightlyRuns) => {
  const runs = { numRuns: isNightly ? nightlyRuns : 3000 }

  it('an exact input divides into the oracle amount, the fees and a bounded rounding', { timeout: 600_000 }, () => {
    let explained = 0
    fc.assert(
      fc.property(arbitraryWorlds(pools), ({ route, amountRaw }) => {
        const amountOutRaw = tryPrice(() => Route.priceExactIn(route, amountRaw, nowSeconds))
        if (amountOutRaw === undefined) return
        explained++
        const hops = PricedRoute.from(route)
        const parts = Conversion.explain(hops, { mode: 'exact-in', amountInRaw: amountRaw, amountOutRaw })
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
        const amountInRaw = Route.priceExactOut(route, amountRaw, nowSeconds)
        const hops = PricedRoute.from(route)
        const parts = Conversion.explain(hops, { mode: 'exact-out', amountInRaw, amountOutRaw: amountRaw })
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
        const amountInRaw = Route.priceExactOut(route, amountRaw, nowSeconds)
        const bought = (raw: bigint) => tryPrice(() => Route.priceExactIn(route, raw, nowSeconds)) ?? 0n
        expect(bought(amountInRaw) >= amountRaw).toBe(true)
        expect(bought(amountInRaw - 1n) < amountRaw).toBe(true)
      }),
      runs,
    )
  })
})

type Parts = Conversion.explain.Parts

function sumOf({ oracleAmountOutRaw, impactRaw, feeRaw, roundingRaw }: Parts): bigint {
  return oracleAmountOutRaw + impactRaw - feeRaw - roundingRaw
}

type Amounts = { readonly hops: PricedRoute.PricedRoute; readonly amountInRaw: bigint; readonly amountOutRaw: bigint }

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
function unitValueOf(hops: readonly PricedRoute.Hop[]): bigint {
  const [numerator, denominator] = priceOf(hops)
  return (numerator + denominator - 1n) / denominator
}

/** Returns the price of a raw unit as a fraction. */
function priceOf(hops: readonly PricedRoute.Hop[]): readonly [bigint, bigint] {
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
function feeOfInput([first, second]: PricedRoute.PricedRoute, amountInRaw: bigint): bigint {
  const grossRaw = PricedRoute.valueAtOracles([first], amountInRaw)
  const feeRaw = roundUp(grossRaw * first.epsilon)
  return second ? PricedRoute.valueAtOracles([second], feeRaw) + feeOfInput([second], grossRaw - feeRaw) : feeRaw
}

/** Returns what each pool charges on the amount that leaves it. The fee of a first pool is valued in the last token. */
function feeOfOutput([first, second]: Route.Route, amountOutRaw: bigint): bigint {
  const chargeOf = ({ pool: { epsilon } }: Route.Route[0], raw: bigint) =>
    (raw * wad + wad - epsilon - 1n) / (wad - epsilon) - raw
  if (!second) return chargeOf(first, amountOutRaw)
  const betweenRaw = Route.priceExactOut([second], amountOutRaw, nowSeconds)
  return (
    PricedRoute.valueAtOracles(PricedRoute.from([second]), chargeOf(first, betweenRaw)) + chargeOf(second, amountOutRaw)
  )
}

const wad = 10n ** 18n

function roundUp(scaled: bigint): bigint {
  return (scaled + wad - 1n) / wad
}

/** Returns a priced output; undefined for an amount whose output is zero. */
function tryPrice(price: () => bigint): bigint | undefined {
  try {
    return price()
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'svc/amount-too-small') return undefined
    throw error
  }
}

describe('the analysis of a mined conversion', () => {
  const toUsd = Route.get([poolOf(aud, usd)], { ...tokens, tokenOut: usd.token.address })
  const amountInRaw = thousandRaw

  it('slippage is a loss of about 0.05 % over two hops: the second fee', () => {
    const actualAmountOutRaw = Route.priceExactIn(twoHops, amountInRaw, nowSeconds)
    const analysis = Conversion.analyse(PricedRoute.from(twoHops), { amountInRaw, actualAmountOutRaw })
    expect(analysis.slippage).toBe('0.0500%')
    expect(analysis.fee).toEqual({ rate: '0.05%', amount: '0.600311' })
    expect(analysis.routeFeeRate).toBe('0.099975%')
  })

  it('the oracle amount over two hops is not rounded in the token between, also for dust', () => {
    // 0.000010 AUD are worth 0.0000065 dollars, and these 0.0000060 EUR.
    const { oracleAmountOut } = Conversion.analyse(PricedRoute.from(twoHops), {
      amountInRaw: 10n,
      actualAmountOutRaw: 4n,
    })
    expect(oracleAmountOut).toBe('0.000006')
    const cents = sideOf('USD', 100_000_000n, { decimals: 2 })
    const coarse = [poolOf(aud, cents), poolOf(eur, cents)]
    const route = Route.get(coarse, tokens)
    const analysis = Conversion.analyse(PricedRoute.from(route), {
      amountInRaw: 9_000_000n,
      actualAmountOutRaw: 5_390_000n,
    })
    // 5.86 dollars would be 5.403411 EUR.
    expect(analysis).toMatchObject({ oracleAmountOut: '5.404149', oracleRate: '0.60046100' })
  })

  it('slippage is never -0', () => {
    const conversion = { amountInRaw: 10n ** 12n, actualAmountOutRaw: 650_874_400_001n }
    expect(Conversion.analyse(PricedRoute.from(toUsd), conversion).slippage).toBe('0.0000%')
  })
})

it.each([
  [0n, 651_200_000n, '0.0000%'],
  [-6_512_000n, 651_200_000n, '-1.0000%'],
  [6_512_000n, 651_200_000n, '1.0000%'],
  [-1n, 2_000_000n, '-0.0001%'],
  [-1n, 2_000_001n, '0.0000%'],
  [-3n, 1n, '-300.0000%'],
  [-5n, 0n, '0.0000%'],
])('an impact of %i on an oracle amount of %i is %s', (impactRaw, oracleAmountOutRaw, text) => {
  expect(Conversion.formatImpact({ impactRaw, oracleAmountOutRaw })).toBe(text)
})
