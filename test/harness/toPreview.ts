/** A conversion in raw units, and the decimals of its tokens. */
export type Conversion = {
  readonly inRaw: bigint
  readonly inDecimals: number
  readonly outRaw: bigint
  readonly outDecimals: number
}

/** The amounts and rates of a preview as the interface describes them, computed without code of the service. */
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

/** Truncates to eight fractional digits, not counting the leading zeros of a rate below a tenth. */
function toRate(numerator: bigint, denominator: bigint): string {
  const long = toDecimal((numerator * 10n ** 80n) / denominator, 80)
  const zeros = /^0\.(0*)/.exec(long)?.[1]?.length ?? 0
  return long.slice(0, long.indexOf('.') + 1 + zeros + 8)
}

/** Formats raw units with all fractional digits of the token. */
export function toDecimal(raw: bigint, decimals: number): string {
  const digits = raw.toString().padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
