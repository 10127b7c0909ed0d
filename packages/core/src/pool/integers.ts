/** One in the scale of the pool parameters: 10^18. */
export const one = 10n ** 18n

/** Returns the quotient of two non-negative integers, rounded up. */
export function ceilDiv(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator
}
