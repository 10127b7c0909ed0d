/** The side of the boundary on which a value lies; undefined if it is unknown. */
export type Side = 'below' | 'above' | undefined

/** Two values. The second is larger. */
export type Interval = readonly [low: bigint, high: bigint]

/**
 * Returns two adjacent values between which the side changes from below to above.
 *
 * If the side of a value is unknown, the side of its nearest known neighbour is used, at distances that double. If no
 * neighbour is known, the value counts as below.
 *
 * @param interval a value below the boundary, and a larger value above it
 */
export function narrow([low, high]: Interval, sideOf: (value: bigint) => Side): Interval {
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    const value = findKnown(middle, [low, high], sideOf)
    if (value?.side === 'above') high = value.at
    else low = value?.at ?? middle
  }
  return [low, high]
}

type Known = { readonly at: bigint; readonly side: Side }

function findKnown(middle: bigint, [low, high]: Interval, sideOf: (value: bigint) => Side): Known | undefined {
  for (const at of listAround(middle, high - low)) {
    const side = at > low && at < high ? sideOf(at) : undefined
    if (side) return { at, side }
  }
  return undefined
}

/** Yields a value, and then the values on both sides of it at distances that double, up to a limit. */
export function* listAround(value: bigint, maxDistance: bigint): Generator<bigint> {
  yield value
  for (let distance = 1n; distance <= maxDistance; distance *= 2n) {
    yield value - distance
    yield value + distance
  }
}
