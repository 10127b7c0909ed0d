/** The largest uint256: 2^256 - 1. */
export const maxUint256 = 2n ** 256n - 1n

/** One in the scale of the pool parameters: 10^18. */
export const wad = 10n ** 18n

/** Returns the smaller of two integers. */
export function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/** Returns the larger of two integers. */
export function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

/** Returns the quotient of two integers, rounded up. The numerator is not negative, and the denominator is positive. */
export function ceilDiv(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator
}

// Covers uint256 amounts scaled by a few dozen digits.
const powers = Array.from({ length: 160 }, (_, exponent) => 10n ** BigInt(exponent))

/** Returns 10^exponent, from a table up to 10^159. */
export function powerOfTen(exponent: number): bigint {
  return powers[exponent] ?? 10n ** BigInt(exponent)
}

/**
 * Returns integers from `fromRaw` to `toRaw` in ascending order, evenly spaced on a logarithmic scale and without
 * repetition.
 *
 * Returns every integer of the range if it has fewer than `count`, and an empty list if the range is empty.
 *
 * @param range both ends are included; `fromRaw` is positive
 * @param count at least two
 *
 * @example
 * Integer.listGeometricSteps({ fromRaw: 1n, toRaw: 1000n }, 4) // [1n, 10n, 100n, 1000n]
 */
export function listGeometricSteps(
  { fromRaw, toRaw }: { readonly fromRaw: bigint; readonly toRaw: bigint },
  count: number,
): readonly bigint[] {
  const lastIndex = BigInt(count - 1)
  if (toRaw - fromRaw <= lastIndex) return listAll(fromRaw, toRaw)
  const ratio = findRatio(fromRaw, toRaw, lastIndex)
  const steps = [fromRaw]
  let scaled = fromRaw << precision
  while (steps.length < count - 1) {
    scaled = (scaled * ratio) >> precision
    const [next, last] = [scaled >> precision, steps[steps.length - 1] ?? fromRaw]
    // The first steps may be less than one unit apart.
    steps.push(next > last ? next : last + 1n)
  }
  return [...steps, toRaw]
}

/** The number of fractional bits of a ratio and of a step. */
const precision = 64n

function listAll(fromRaw: bigint, toRaw: bigint): readonly bigint[] {
  return Array.from({ length: Math.max(0, Number(toRaw - fromRaw) + 1) }, (_, index) => fromRaw + BigInt(index))
}

/**
 * Returns the largest number with `precision` fractional bits whose `times`-th power does not exceed `toRaw / fromRaw`.
 */
function findRatio(fromRaw: bigint, toRaw: bigint, times: bigint): bigint {
  const power = (toRaw << (precision * times)) / fromRaw
  // Floating point gives the first digits. Newton's method, which descends from above, gives the others.
  const first = (Number(toRaw) / Number(fromRaw)) ** (1 / Number(times))
  let root = BigInt(Math.ceil(first * 2 ** Number(precision) * (1 + 1e-9)))
  while (true) {
    const next = ((times - 1n) * root + power / root ** (times - 1n)) / times
    if (next >= root) return root
    root = next
  }
}
