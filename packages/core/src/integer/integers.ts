/** The largest uint256: 2^256 - 1. */
export const maxUint256 = 2n ** 256n - 1n

/** One in the scale of the pool parameters: 10^18. */
export const one = 10n ** 18n

/** Returns the quotient of two integers, rounded up. The numerator is not negative, and the denominator is positive. */
export function ceilDiv(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator
}
