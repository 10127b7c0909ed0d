// Covers uint256 amounts scaled by a few dozen digits.
const powers = Array.from({ length: 160 }, (_, exponent) => 10n ** BigInt(exponent))

/** Returns 10^exponent, from a table up to 10^159. */
export function powerOfTen(exponent: number): bigint {
  return powers[exponent] ?? 10n ** BigInt(exponent)
}
