import * as Amount from '../amount/Amount.ts'
import * as Rate from '../amount/Rate.ts'
import * as Integer from '../integer/Integer.ts'
import * as PricedRoute from '../route/PricedRoute.ts'
import * as Fee from './Fee.ts'
import * as Slippage from './Slippage.ts'

/** Which amount of a conversion is fixed when it is executed: the input, or the output. */
export type Mode = 'exact-in' | 'exact-out'

/**
 * Splits the difference between a conversion's output and the oracle value of its input into parts:
 * `oracle + impact - fee - rounding = output`, exactly.
 *
 * A route of pools priced locally has no impact. Its rounding is the remainder, and within the bounds of
 * docs/reference/maths.md if `isExact`. A route with a pool priced on chain has no rounding. Its impact is the remainder.
 *
 * @param hops the prices and fees of the route's pools when the conversion was executed
 * @returns raw units of the last token
 * @throws RangeError if a price is not positive
 * @see docs/reference/maths.md
 */
export function explain(hops: PricedRoute.PricedRoute, conversion: explain.Options): explain.Parts {
  const { mode, amountInRaw, amountOutRaw } = conversion
  const oracleAmountOutRaw = PricedRoute.valueAtOracles(hops, amountInRaw)
  const charge = mode === 'exact-in' ? chargeInput(hops, amountInRaw) : chargeOutput(hops, amountOutRaw)
  const { feeRaw } = charge
  const missingRaw = oracleAmountOutRaw - feeRaw - amountOutRaw
  if (hops.some(({ pricing }) => pricing === 'on-chain')) {
    return { oracleAmountOutRaw, impactRaw: -missingRaw, feeRaw, roundingRaw: 0n, isExact: false }
  }
  const isExact = charge.computedRaw === (mode === 'exact-in' ? amountOutRaw : amountInRaw)
  return { oracleAmountOutRaw, impactRaw: 0n, feeRaw, roundingRaw: missingRaw, isExact }
}

export declare namespace explain {
  type Options = {
    /** The mode of the execution. It is `exact-in` for an exact output that a router swaps as an exact input. */
    readonly mode: Mode
    /** The amount paid, in raw units of the first token. */
    readonly amountInRaw: bigint
    /** The amount received, in raw units of the last token. */
    readonly amountOutRaw: bigint
  }
  type Parts = {
    /** The value of the input at the oracle prices. */
    readonly oracleAmountOutRaw: bigint
    /** What the curves of pools priced on chain added. Negative if the pools pay less than the oracles. */
    readonly impactRaw: bigint
    /** What the pools charge. The fee of a first pool is valued in the last token. */
    readonly feeRaw: bigint
    /** The loss by rounding. */
    readonly roundingRaw: bigint
    /**
     * Whether our maths returns these amounts at these prices. Always false for a route with a pool priced on chain.
     */
    readonly isExact: boolean
  }
}

type Charge = {
  /** Raw units of the last token. */
  readonly feeRaw: bigint
  /** The amount that the mode does not fix, computed by our maths. */
  readonly computedRaw: bigint
}

function chargeInput(hops: PricedRoute.PricedRoute, amountInRaw: bigint): Charge {
  let [amountRaw, feeRaw] = [amountInRaw, 0n]
  for (const hop of hops) {
    const grossRaw = PricedRoute.valueAtOracles([hop], amountRaw)
    const hopFeeRaw = Integer.ceilDiv(grossRaw * hop.epsilon, Integer.wad)
    feeRaw = PricedRoute.valueAtOracles([hop], feeRaw) + hopFeeRaw
    amountRaw = grossRaw - hopFeeRaw
  }
  return { feeRaw, computedRaw: amountRaw }
}

function chargeOutput(hops: PricedRoute.PricedRoute, amountOutRaw: bigint): Charge {
  const feesRaw: bigint[] = []
  const amountInRaw = hops.reduceRight((amountRaw, hop, index) => {
    const grossRaw = toGross(hop, amountRaw)
    feesRaw[index] = grossRaw - amountRaw
    return toInput(hop, grossRaw)
  }, amountOutRaw)
  const feeRaw = hops.reduce(
    (sumRaw, hop, index) => PricedRoute.valueAtOracles([hop], sumRaw) + (feesRaw[index] ?? 0n),
    0n,
  )
  return { feeRaw, computedRaw: amountInRaw }
}

function toGross({ epsilon, pricing }: PricedRoute.Hop, amountOutRaw: bigint): bigint {
  // The DFX family adds its fee to an exact output. Our pools take the fee from the amount before the fee.
  if (pricing === 'on-chain') return amountOutRaw + Integer.ceilDiv(amountOutRaw * epsilon, Integer.wad)
  return Integer.ceilDiv(amountOutRaw * Integer.wad, Integer.wad - epsilon)
}

function toInput(hop: PricedRoute.Hop, grossRaw: bigint): bigint {
  const { tokenInAnswer, tokenOutAnswer, decimalsIn, decimalsOut } = hop
  return Integer.ceilDiv(
    grossRaw * tokenOutAnswer * Integer.powerOfTen(decimalsIn),
    tokenInAnswer * Integer.powerOfTen(decimalsOut),
  )
}

/**
 * Compares the output of a mined conversion with the value of its input at the oracle prices of its execution.
 *
 * @param hops the prices and fees of the pools of the conversion
 */
export function analyse(hops: PricedRoute.PricedRoute, conversion: analyse.Options): analyse.Analysis {
  const [{ decimalsIn }, { decimalsOut }] = [hops[0], hops.at(-1) ?? hops[0]]
  const { amountInRaw, actualAmountOutRaw } = conversion
  // Responses state the fee as if the input were exact, in both modes.
  const parts = explain(hops, { mode: 'exact-in', amountInRaw, amountOutRaw: actualAmountOutRaw })
  const amountIn = { raw: amountInRaw, decimals: decimalsIn }
  const toAmountOut = (raw: bigint) => ({ raw, decimals: decimalsOut })
  return {
    actualAmountOut: Amount.format(actualAmountOutRaw, decimalsOut),
    oracleAmountOut: Amount.format(parts.oracleAmountOutRaw, decimalsOut),
    fee: { rate: Fee.format(hops[0].epsilon), amount: Amount.format(parts.feeRaw, decimalsOut) },
    routeFeeRate: Fee.formatRoute(hops),
    slippage: Slippage.format(parts.oracleAmountOutRaw, actualAmountOutRaw),
    executedRate: Rate.format(amountIn, toAmountOut(actualAmountOutRaw)),
    oracleRate: Rate.format(amountIn, toAmountOut(parts.oracleAmountOutRaw)),
  }
}

export declare namespace analyse {
  type Options = {
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

/**
 * Formats the difference between the pools' and the oracles' amount as percent of the oracles' amount. It is negative
 * if the pools pay less.
 *
 * The percentage has four fractional digits, is rounded half away from zero, and is never `-0`.
 */
export function formatImpact({ impactRaw, oracleAmountOutRaw }: formatImpact.Parts): string {
  if (oracleAmountOutRaw === 0n) return '0.0000%'
  const doubled = (impactRaw < 0n ? -impactRaw : impactRaw) * 2_000_000n
  const magnitude = (doubled + oracleAmountOutRaw) / (2n * oracleAmountOutRaw)
  const sign = impactRaw < 0n && magnitude > 0n ? '-' : ''
  return `${sign}${Amount.formatFixed(magnitude, 4, 4)}%`
}

export declare namespace formatImpact {
  /** Raw units of the same token. */
  type Parts = { readonly impactRaw: bigint; readonly oracleAmountOutRaw: bigint }
}
