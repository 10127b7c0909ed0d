/** The position of a value relative to the boundary; undefined if it is unknown. */
export type Position = 'below' | 'above' | undefined

/** Two values. The second is larger. */
export type Interval = readonly [low: bigint, high: bigint]

/**
 * Returns two adjacent values, the last below the boundary and the first above it.
 *
 * If the position of a value is unknown, the search tries its neighbours at distances 1, 2, 4 and so on, and continues
 * with the first whose position is known. Without such a neighbour the value counts as below.
 *
 * @param interval a value below the boundary, and a larger value above it
 */
export function narrow([low, high]: Interval, locate: (value: bigint) => Position): Interval {
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    const located = findLocated(middle, [low, high], locate)
    if (located?.position === 'above') high = located.value
    else low = located?.value ?? middle
  }
  return [low, high]
}

type Located = { readonly value: bigint; readonly position: Position }

function findLocated(middle: bigint, [low, high]: Interval, locate: (value: bigint) => Position): Located | undefined {
  for (const value of listAround(middle, high - low)) {
    const position = value > low && value < high ? locate(value) : undefined
    if (position) return { value, position }
  }
  return undefined
}

/** Yields a value, then the values on both sides of it at distances 1, 2, 4 and so on, up to a limit. */
function* listAround(value: bigint, maxDistance: bigint): Generator<bigint> {
  yield value
  for (let distance = 1n; distance <= maxDistance; distance *= 2n) {
    yield value - distance
    yield value + distance
  }
}

/**
 * Returns the value closest to the given one that is accepted, up to twice the given one. It may miss a closer value
 * that lies between refused values. Returns undefined if it finds none.
 */
export function findNearest(value: bigint, isAccepted: (near: bigint) => boolean): bigint | undefined {
  for (const near of listAround(value, value)) {
    if (!isAccepted(near)) continue
    if (near === value) return value
    return near < value
      ? narrow([near, value], (other) => (isAccepted(other) ? 'below' : 'above'))[0]
      : narrow([value, near], (other) => (isAccepted(other) ? 'above' : 'below'))[1]
  }
  return undefined
}
