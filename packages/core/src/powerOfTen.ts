// As far as amounts go: raw units of uint256, scaled by a few dozen digits more.
const powers = Array.from({ length: 160 }, (_, exponent) => 10n ** BigInt(exponent))

/** 10^exponent, from a table where there is one: every amount is scaled by it, several times. */
export function powerOfTen(exponent: number): bigint {
  return powers[exponent] ?? 10n ** BigInt(exponent)
}
