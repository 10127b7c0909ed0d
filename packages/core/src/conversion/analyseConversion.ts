import * as Amount from '../amount/Amount.ts'
import { ceilDiv, one } from '../pool/integers.ts'
import { valueAtOracle } from '../pool/valueAtOracle.ts'
import * as Rate from '../amount/Rate.ts'
import type { ConversionRoute } from '../route/findConversionRoute.ts'
import { formatFee } from './formatFee.ts'

// The interface defines slippage without a fee of 0.05 %, even if the fee of the pool differs.
const feeNumerator = 5n
const feeDenominator = 10_000n

/**
 * Compares the output of a mined conversion with the value at the oracle prices of its block.
 *
 * Slippage excludes one fee: `(oracle x (1 - 0.0005) - actual) / (oracle x (1 - 0.0005))`. It is zero for a direct conversion,
 * and about the second fee for two pools. A positive slippage is a loss.
 *
 * @param route the route of the conversion, with the states of its pools in that block
 */
export function analyseConversion(
  route: ConversionRoute,
  conversion: analyseConversion.Conversion,
): analyseConversion.Analysis {
  const { token: tokenIn } = sideOf(route[0].pool, route[0].tokenIn)
  const last = route.at(-1) ?? route[0]
  const { token: tokenOut } = sideOf(last.pool, last.tokenOut)
  const oracle = valueOfRoute(route, conversion.amountInRaw)
  const amountIn = { raw: conversion.amountInRaw, decimals: tokenIn.decimals }
  const amountOutOf = (raw: bigint) => ({ raw, decimals: tokenOut.decimals })
  return {
    actualAmountOut: Amount.format(conversion.actualAmountOutRaw, tokenOut.decimals),
    oracleAmountOut: Amount.format(oracle.amountOutRaw, tokenOut.decimals),
    fee: { rate: formatFee(route[0].pool.epsilon), amount: Amount.format(oracle.feeRaw, tokenOut.decimals) },
    slippage: formatSlippage(oracle.amountOutRaw, conversion.actualAmountOutRaw),
    executedRate: Rate.format(amountIn, amountOutOf(conversion.actualAmountOutRaw)),
    oracleRate: Rate.format(amountIn, amountOutOf(oracle.amountOutRaw)),
  }
}

export declare namespace analyseConversion {
  type Conversion = {
    /** Raw units of the route's first token. */
    readonly amountInRaw: bigint
    /** The amount that the sender received, in raw units of the route's last token. */
    readonly actualAmountOutRaw: bigint
  }
  type Analysis = {
    readonly actualAmountOut: string
    readonly oracleAmountOut: string
    readonly fee: { readonly rate: string; readonly amount: string }
    readonly slippage: string
    readonly executedRate: string
    readonly oracleRate: string
  }
}

/** Returns the output at the oracle prices before any fee, and the sum of all fees, in raw units of the last token. */
function valueOfRoute(route: ConversionRoute, amountInRaw: bigint): { amountOutRaw: bigint; feeRaw: bigint } {
  let grossRaw = amountInRaw
  let netRaw = amountInRaw
  let feeRaw = 0n
  for (const { pool, tokenIn, tokenOut } of route) {
    const [origin, target] = [sideOf(pool, tokenIn), sideOf(pool, tokenOut)]
    grossRaw = valueAtOracle(origin, target, grossRaw)
    const hopGrossRaw = valueAtOracle(origin, target, netRaw)
    const hopFeeRaw = ceilDiv(hopGrossRaw * pool.epsilon, one)
    feeRaw = valueAtOracle(origin, target, feeRaw) + hopFeeRaw
    netRaw = hopGrossRaw - hopFeeRaw
  }
  return { amountOutRaw: grossRaw, feeRaw }
}

function sideOf(pool: ConversionRoute[0]['pool'], token: string) {
  return pool.base.token.address === token ? pool.base : pool.quote
}

/** Formats slippage as percent with four fractional digits, rounded half away from zero; never `-0`. */
function formatSlippage(oracleAmountOutRaw: bigint, actualAmountOutRaw: bigint): string {
  const afterFee = oracleAmountOutRaw * (feeDenominator - feeNumerator)
  if (afterFee === 0n) return '0.0000%'
  const difference = (afterFee - actualAmountOutRaw * feeDenominator) * 1_000_000n
  const magnitude = ((difference < 0n ? -difference : difference) * 2n + afterFee) / (2n * afterFee)
  const sign = difference < 0n && magnitude > 0n ? '-' : ''
  return `${sign}${Amount.formatFixed(magnitude, 4, 4)}%`
}
