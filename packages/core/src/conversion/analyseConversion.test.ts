import { describe, expect, it } from 'vitest'
import { aud, eur, nowSeconds, poolOf, sideOf, usd } from '../../test/pools.fixture.ts'
import { findConversionRoute } from '../route/Route.ts'
import { toPricedHops } from '../route/PricedHop.ts'
import { quoteRoute } from '../route/quoteRoute.ts'
import { analyseConversion } from './analyseConversion.ts'

const pools = [poolOf(aud, usd), poolOf(eur, usd)]
const referenceToken = usd.token.address
const direct = findConversionRoute(pools, { tokenIn: aud.token.address, tokenOut: usd.token.address, referenceToken })
const twoHops = findConversionRoute(pools, { tokenIn: aud.token.address, tokenOut: eur.token.address, referenceToken })
const amountInRaw = 1_000_000_000n

describe('slippage', () => {
  it('slippage is zero for a direct conversion, and oracle = actual + fee', () => {
    const actualAmountOutRaw = quoteRoute(direct, amountInRaw, nowSeconds)
    expect(analyseConversion(toPricedHops(direct), { amountInRaw, actualAmountOutRaw })).toEqual({
      actualAmountOut: '650.874400',
      oracleAmountOut: '651.200000',
      fee: { rate: '0.05%', amount: '0.325600' },
      routeFeeRate: '0.05%',
      slippage: '0.0000%',
      executedRate: '0.65087440',
      oracleRate: '0.65120000',
    })
  })

  it('slippage is a loss of about 0.05 % over two hops: the second fee', () => {
    const actualAmountOutRaw = quoteRoute(twoHops, amountInRaw, nowSeconds)
    const analysis = analyseConversion(toPricedHops(twoHops), { amountInRaw, actualAmountOutRaw })
    expect(analysis.slippage).toBe('0.0500%')
    expect(analysis.fee).toEqual({ rate: '0.05%', amount: '0.600311' })
    expect(analysis.routeFeeRate).toBe('0.099975%')
  })

  it('the oracle amount over two hops is not rounded in the token between, also for dust', () => {
    // 0.000010 AUD are worth 0.0000065 dollars, and these 0.0000060 EUR.
    const { oracleAmountOut } = analyseConversion(toPricedHops(twoHops), { amountInRaw: 10n, actualAmountOutRaw: 4n })
    expect(oracleAmountOut).toBe('0.000006')
    const cents = sideOf('USD', 100_000_000n, { decimals: 2 })
    const coarse = [poolOf(aud, cents), poolOf(eur, cents)]
    const route = findConversionRoute(coarse, {
      tokenIn: aud.token.address,
      tokenOut: eur.token.address,
      referenceToken,
    })
    const analysis = analyseConversion(toPricedHops(route), { amountInRaw: 9_000_000n, actualAmountOutRaw: 5_390_000n })
    // 5.86 dollars would be 5.403411 EUR.
    expect(analysis).toMatchObject({ oracleAmountOut: '5.404149', oracleRate: '0.60046100' })
  })

  it('slippage is negative for a gain and positive for a loss', () => {
    const slippageOf = (actualAmountOutRaw: bigint) =>
      analyseConversion(toPricedHops(direct), { amountInRaw, actualAmountOutRaw }).slippage
    expect(slippageOf(660_000_000n)).toBe('-1.4021%')
    expect(slippageOf(640_000_000n)).toBe('1.6707%')
    expect(slippageOf(0n)).toBe('100.0000%')
  })

  it('slippage is never -0', () => {
    const conversion = { amountInRaw: 10n ** 12n, actualAmountOutRaw: 650_874_400_001n }
    expect(analyseConversion(toPricedHops(direct), conversion).slippage).toBe('0.0000%')
  })
})
