import * as Amount from '../amount/Amount.ts'
import * as Rate from '../amount/Rate.ts'
import type { PricedRoute } from '../route/PricedHop.ts'
import { explainConversion } from './explainConversion.ts'
import { formatFee } from './formatFee.ts'
import { formatSlippage } from './formatSlippage.ts'
import { routeFeeRate } from './routeFeeRate.ts'

/**
 * Compares the output of a mined conversion with the value of its input at the oracle prices of its execution.
 *
 * @param hops the prices and fees of the pools of the conversion
 */
export function analyseConversion(
  hops: PricedRoute,
  conversion: analyseConversion.Conversion,
): analyseConversion.Analysis {
  const [{ decimalsIn }, { decimalsOut }] = [hops[0], hops.at(-1) ?? hops[0]]
  const { amountInRaw, actualAmountOutRaw } = conversion
  // The fee of the interface is the fee on the input, in both modes.
  const parts = explainConversion(hops, { mode: 'exact-in', amountInRaw, amountOutRaw: actualAmountOutRaw })
  const amountIn = { raw: amountInRaw, decimals: decimalsIn }
  const amountOutOf = (raw: bigint) => ({ raw, decimals: decimalsOut })
  return {
    actualAmountOut: Amount.format(actualAmountOutRaw, decimalsOut),
    oracleAmountOut: Amount.format(parts.oracleAmountOutRaw, decimalsOut),
    fee: { rate: formatFee(hops[0].epsilon), amount: Amount.format(parts.feeRaw, decimalsOut) },
    routeFeeRate: routeFeeRate(hops),
    slippage: formatSlippage(parts.oracleAmountOutRaw, actualAmountOutRaw),
    executedRate: Rate.format(amountIn, amountOutOf(actualAmountOutRaw)),
    oracleRate: Rate.format(amountIn, amountOutOf(parts.oracleAmountOutRaw)),
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
    /** The rate of the first pool, and the amount that all pools charge, in units of the last token. */
    readonly fee: { readonly rate: string; readonly amount: string }
    readonly routeFeeRate: string
    readonly slippage: string
    readonly executedRate: string
    readonly oracleRate: string
  }
}
