import { describe, expect, it } from 'vitest'
import { aud, eur, nowSeconds, poolOf, usd } from '../../test/pools.fixture.ts'
import { findConversionRoute } from '../route/findConversionRoute.ts'
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
    expect(analyseConversion(direct, { amountInRaw, actualAmountOutRaw })).toEqual({
      actualAmountOut: '650.874400',
      oracleAmountOut: '651.200000',
      fee: { rate: '0.05%', amount: '0.325600' },
      slippage: '0.0000%',
      executedRate: '0.65087440',
      oracleRate: '0.65120000',
    })
  })

  it('slippage is a loss of about 0.05 % over two hops: the second fee', () => {
    const actualAmountOutRaw = quoteRoute(twoHops, amountInRaw, nowSeconds)
    const analysis = analyseConversion(twoHops, { amountInRaw, actualAmountOutRaw })
    expect(analysis.slippage).toBe('0.0500%')
    expect(analysis.fee).toEqual({ rate: '0.05%', amount: '0.600311' })
  })

  it('slippage is negative for a gain and positive for a loss', () => {
    const slippageOf = (actualAmountOutRaw: bigint) =>
      analyseConversion(direct, { amountInRaw, actualAmountOutRaw }).slippage
    expect(slippageOf(660_000_000n)).toBe('-1.4021%')
    expect(slippageOf(640_000_000n)).toBe('1.6707%')
    expect(slippageOf(0n)).toBe('100.0000%')
  })

  it('slippage is never -0', () => {
    const conversion = { amountInRaw: 10n ** 12n, actualAmountOutRaw: 650_874_400_001n }
    expect(analyseConversion(direct, conversion).slippage).toBe('0.0000%')
  })
})
