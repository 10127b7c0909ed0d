import { toDecimal } from './toDecimal.ts'

/** A conversion in raw units, of tokens with those decimals. */
export type Conversion = {
  readonly inRaw: bigint
  readonly inDecimals: number
  readonly outRaw: bigint
  readonly outDecimals: number
}

/** The figures of a preview as the interface describes them, worked out with nothing of the service's own. */
export function toPreview({ inRaw, inDecimals, outRaw, outDecimals }: Conversion): Readonly<Record<string, string>> {
  const [paid, bought] = [inRaw * 10n ** BigInt(outDecimals), outRaw * 10n ** BigInt(inDecimals)]
  const minRaw = outRaw - (outRaw * 5n + 9999n) / 10_000n
  return {
    amountOut: toDecimal(outRaw, outDecimals),
    recommendedMinAmountOut: toDecimal(minRaw > 1n ? minRaw : 1n, outDecimals),
    exchangeRate: toRate(bought, paid),
    inverseRate: toRate(paid, bought),
  }
}

/** Eight fractional digits, not counting the zeros that a rate below a tenth begins with; the rest is cut off. */
function toRate(numerator: bigint, denominator: bigint): string {
  const long = toDecimal((numerator * 10n ** 80n) / denominator, 80)
  const zeros = /^0\.(0*)/.exec(long)?.[1]?.length ?? 0
  return long.slice(0, long.indexOf('.') + 1 + zeros + 8)
}
