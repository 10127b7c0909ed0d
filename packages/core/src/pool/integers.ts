/** The scale of pool parameters: 10^18 is one. */
export const one = 10n ** 18n

/** Division rounded up, for non-negative integers. */
export function ceilDiv(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator
}
