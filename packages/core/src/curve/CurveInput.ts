import * as Bisection from './Bisection.ts'
import * as Curve from './Curve.ts'
import { CurveRevert, type CurveRefusal } from './CurveRevert.ts'
import { one } from './FixedPoint.ts'

/**
 * Returns the largest input that a pool pays for, in raw units. The pool halts or overflows for larger inputs, and may
 * not converge for some smaller ones. Returns zero if the pool pays for no input.
 *
 * Pools with a steep penalty may have gaps: inputs without convergence, below larger inputs that are paid. Beyond a gap
 * the search takes even steps, so it may miss inputs between the largest step that pays and the halt.
 */
export function largest(curve: Curve.Curve, inputIndex: Curve.Swap['inputIndex']): bigint {
  const refusalOf = (amountRaw: bigint) => findRefusal(curve, { inputIndex, amountRaw })
  const isPaid = (amountRaw: bigint) => refusalOf(amountRaw) === undefined
  const endRaw = findRefusedEnd(curve, inputIndex, isPaid)
  let interval: Bisection.Interval | undefined = [0n, endRaw]
  let largestRaw = 0n
  for (let gaps = 0; gaps < maxGaps && interval; gaps += 1) {
    ;[largestRaw] = Bisection.narrow(interval, (amountRaw) => (isPaid(amountRaw) ? 'below' : 'above'))
    const refusal = refusalOf(largestRaw + 1n)
    interval = refusal && isOfGap(refusal) ? findLastPaid([largestRaw, endRaw], isPaid) : undefined
  }
  return largestRaw
}

const maxGaps = 8

/** The number of inputs that are tried between a gap and the end. */
const stepsBeyondGap = 64n

/**
 * Tries evenly spaced inputs within an interval, from its end. Returns the first that is paid and the input after it, or
 * undefined if the pool pays for none.
 */
function findLastPaid(
  [fromRaw, toRaw]: Bisection.Interval,
  isPaid: (amountRaw: bigint) => boolean,
): Bisection.Interval | undefined {
  const stepRaw = (toRaw - fromRaw) / stepsBeyondGap + 1n
  for (let amountRaw = toRaw - stepRaw; amountRaw > fromRaw; amountRaw -= stepRaw) {
    if (isPaid(amountRaw)) return [amountRaw, amountRaw + stepRaw]
  }
  return undefined
}

/**
 * Returns an input beyond all halts.
 *
 * A swap keeps at most a quarter of the moved value in the pool. The halt is therefore at most about twice as far away
 * as it would be if the pool's value stayed the same.
 */
function findRefusedEnd(
  { alpha, sides }: Curve.Curve,
  inputIndex: Curve.Swap['inputIndex'],
  isPaid: (amountRaw: bigint) => boolean,
): bigint {
  let endRaw = 1n
  try {
    const valueOf = (side: Curve.Side) => Curve.toNumeraire(side, side.balanceRaw)
    const total = valueOf(sides[0]) + valueOf(sides[1])
    const room = ((one + alpha) * total) / (2n * one) - valueOf(sides[inputIndex])
    if (room > 0n) endRaw = Curve.toRawUnits(sides[inputIndex], 4n * room) + 1n
  } catch (error) {
    if (!(error instanceof CurveRevert)) throw error
  }
  while (isPaid(endRaw)) endRaw *= 2n
  return endRaw
}

/**
 * Returns the smallest input whose execution pays at least the given output. Returns undefined if no input pays it.
 */
export function findSmallest(
  curve: Curve.Curve,
  { inputIndex, amountOutRaw, guessRaw, maxRaw }: Options,
): bigint | undefined {
  const locate = (amountRaw: bigint): Bisection.Position => {
    const outcome = tryExecution(curve, { inputIndex, amountRaw })
    if (typeof outcome !== 'bigint') return undefined
    return outcome < amountOutRaw ? 'below' : 'above'
  }
  if (locate(maxRaw) !== 'above') return undefined
  const interval = findInterval(guessRaw < maxRaw ? guessRaw : maxRaw, maxRaw, locate)
  return Bisection.narrow(interval, locate)[1]
}

type Options = {
  readonly inputIndex: Curve.Swap['inputIndex']
  readonly amountOutRaw: bigint
  /** An estimate of the input to find. */
  readonly guessRaw: bigint
  /** The largest input that the pool pays for. */
  readonly maxRaw: bigint
}

/**
 * Returns an interval that contains the boundary, between zero and the largest input. It searches from the guess, with
 * steps that double.
 */
function findInterval(
  guessRaw: bigint,
  maxRaw: bigint,
  locate: (amountRaw: bigint) => Bisection.Position,
): Bisection.Interval {
  if (locate(guessRaw) === 'above') {
    let [lowRaw, highRaw] = [guessRaw - 1n, guessRaw]
    while (lowRaw > 0n && locate(lowRaw) !== 'below') {
      if (locate(lowRaw) === 'above') highRaw = lowRaw
      lowRaw = guessRaw - 2n * (guessRaw - lowRaw)
    }
    return [lowRaw > 0n ? lowRaw : 0n, highRaw]
  }
  let [lowRaw, highRaw] = [0n, guessRaw]
  while (highRaw < maxRaw && locate(highRaw) !== 'above') {
    if (locate(highRaw) === 'below') lowRaw = highRaw
    highRaw = guessRaw + 2n * (highRaw - guessRaw) + 1n
  }
  return [lowRaw, highRaw < maxRaw ? highRaw : maxRaw]
}

/**
 * Returns the input closest to the given one that a pool pays for. It may miss a closer input that lies
 * between inputs without convergence.
 *
 * Tries inputs up to twice the given one. Returns undefined if the pool pays for none of them.
 */
export function findNearest(curve: Curve.Curve, { inputIndex, amountRaw }: Curve.Swap): bigint | undefined {
  return Bisection.findNearest(
    amountRaw,
    (nearRaw) => nearRaw > 0n && findRefusal(curve, { inputIndex, amountRaw: nearRaw }) === undefined,
  )
}

/**
 * Returns whether the refused input may lie in a gap, below larger inputs that are paid. A pool that halts or overflows
 * refuses all larger inputs too.
 */
function isOfGap(refusal: CurveRefusal): boolean {
  return refusal === 'Curve/swap-convergence-failed' || refusal === 'Curve/swap-invariant-violation'
}

/** Returns the reason why the execution of a swap reverts; undefined if it pays. */
function findRefusal(curve: Curve.Curve, swap: Curve.Swap): CurveRefusal | undefined {
  const outcome = tryExecution(curve, swap)
  return typeof outcome === 'bigint' ? undefined : outcome
}

/** Returns the output of the execution of a swap, or the reason why it reverts. */
export function tryExecution(curve: Curve.Curve, swap: Curve.Swap): bigint | CurveRefusal {
  try {
    return Curve.execute(curve, swap)
  } catch (error) {
    if (error instanceof CurveRevert) return error.reason
    throw error
  }
}
