import { powerOfTen } from '../amount/powerOfTen.ts'
import { ceilDiv, one } from '../integer/integers.ts'
import type { PricedHop, PricedRoute } from '../route/PricedHop.ts'
import { valueAtOracles } from '../route/valueAtOracles.ts'

/** Which amount of a conversion is fixed when it is executed: the input, or the output. */
export type ConversionMode = 'exact-in' | 'exact-out'

/**
 * Splits the difference between a conversion's output and the oracle value of its input into parts:
 * `oracle + impact - fee - rounding = output`, exactly.
 *
 * Pools priced locally have no impact. Their rounding is within the bounds of ARCHITECTURE.md if `isExact`, else it is
 * the remainder. A route with a pool priced on chain has no rounding, and its impact is the remainder.
 *
 * @param hops the prices and fees of the route's pools when the conversion was executed
 * @returns raw units of the last token
 * @throws RangeError if a price is not positive
 * @see ARCHITECTURE.md, "Pool maths"
 */
export function explainConversion(
  hops: PricedRoute,
  conversion: explainConversion.Conversion,
): explainConversion.Parts {
  const { mode, amountInRaw, amountOutRaw } = conversion
  const oracleAmountOutRaw = valueAtOracles(hops, amountInRaw)
  const charge = mode === 'exact-in' ? chargeInput(hops, amountInRaw) : chargeOutput(hops, amountOutRaw)
  const { feeRaw } = charge
  const missingRaw = oracleAmountOutRaw - feeRaw - amountOutRaw
  if (hops.some(({ pricing }) => pricing === 'on-chain')) {
    return { oracleAmountOutRaw, impactRaw: -missingRaw, feeRaw, roundingRaw: 0n, isExact: false }
  }
  const isExact = charge.otherRaw === (mode === 'exact-in' ? amountOutRaw : amountInRaw)
  return { oracleAmountOutRaw, impactRaw: 0n, feeRaw, roundingRaw: missingRaw, isExact }
}

export declare namespace explainConversion {
  type Conversion = {
    /** The mode of the execution. It is `exact-in` for an exact output that a router swaps as an exact input. */
    readonly mode: ConversionMode
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
  /** The amount at the other end of the route, computed by our maths. */
  readonly otherRaw: bigint
}

function chargeInput(hops: PricedRoute, amountInRaw: bigint): Charge {
  let [amountRaw, feeRaw] = [amountInRaw, 0n]
  for (const hop of hops) {
    const grossRaw = valueAtOracles([hop], amountRaw)
    const hopFeeRaw = ceilDiv(grossRaw * hop.epsilon, one)
    feeRaw = valueAtOracles([hop], feeRaw) + hopFeeRaw
    amountRaw = grossRaw - hopFeeRaw
  }
  return { feeRaw, otherRaw: amountRaw }
}

function chargeOutput(hops: PricedRoute, amountOutRaw: bigint): Charge {
  const feesRaw: bigint[] = []
  const amountInRaw = hops.reduceRight((amountRaw, hop, index) => {
    const grossRaw = toGross(hop, amountRaw)
    feesRaw[index] = grossRaw - amountRaw
    return toInput(hop, grossRaw)
  }, amountOutRaw)
  const feeRaw = hops.reduce((sumRaw, hop, index) => valueAtOracles([hop], sumRaw) + (feesRaw[index] ?? 0n), 0n)
  return { feeRaw, otherRaw: amountInRaw }
}

function toGross({ epsilon, pricing }: PricedHop, amountOutRaw: bigint): bigint {
  // The DFX family adds its fee to an exact output. Our pools take the fee from the amount before the fee.
  if (pricing === 'on-chain') return amountOutRaw + ceilDiv(amountOutRaw * epsilon, one)
  return ceilDiv(amountOutRaw * one, one - epsilon)
}

function toInput(hop: PricedHop, grossRaw: bigint): bigint {
  const { tokenInAnswer, tokenOutAnswer, decimalsIn, decimalsOut } = hop
  return ceilDiv(grossRaw * tokenOutAnswer * powerOfTen(decimalsIn), tokenInAnswer * powerOfTen(decimalsOut))
}
