/**
 * Returns integers of a range in ascending order, from its first to its last: each is about as many times the previous one as
 * that is of the one before, and all differ. They are all of the range if it has fewer than `count`; none if it is empty.
 *
 * @param range both ends belong to it; `fromRaw` is positive
 * @param count at least two
 */
export function toGeometricSteps(
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
    // At the beginning the next step may be less than one unit away.
    steps.push(next > last ? next : last + 1n)
  }
  return [...steps, toRaw]
}

/** The fractional bits of a ratio and of a step. */
const precision = 64n

function listAll(fromRaw: bigint, toRaw: bigint): readonly bigint[] {
  return Array.from({ length: Math.max(0, Number(toRaw - fromRaw) + 1) }, (_, index) => fromRaw + BigInt(index))
}

/** The largest number of `precision` fractional bits whose `times`-th power does not exceed the ratio of two integers. */
function findRatio(fromRaw: bigint, toRaw: bigint, times: bigint): bigint {
  const power = (toRaw << (precision * times)) / fromRaw
  // Floating point gives the first digits, and Newton's method, which descends from above, all others.
  const first = (Number(toRaw) / Number(fromRaw)) ** (1 / Number(times))
  let root = BigInt(Math.ceil(first * 2 ** Number(precision) * (1 + 1e-9)))
  while (true) {
    const next = ((times - 1n) * root + power / root ** (times - 1n)) / times
    if (next >= root) return root
    root = next
  }
}
