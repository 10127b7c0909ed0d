import { bisect, listAround, type Interval, type Side } from './bisect.ts'
import { toNumeraire, toRawUnits, type CurveSide, type CurveState } from './CurveState.ts'
import { CurveRevert, fixedOne, type CurveRefusal } from './fixedPoint.ts'
import { executeCurve, type CurveSwap } from './quoteCurve.ts'

/**
 * Returns the largest input that a pool pays for, in raw units: it halts or overflows for larger ones. Of smaller ones there may be
 * some for which it does not converge. Zero if it pays for none.
 *
 * Pools with a steep penalty may pay for inputs beyond a gap without convergence. The search goes on there by even steps, so that it
 * may miss some between the largest steps that pay and the halt.
 */
export function findLargestCurveInput(pool: CurveState, paid: CurveSwap['paid']): bigint {
  const refusalOf = (amountRaw: bigint) => findRefusal(pool, { paid, amountRaw })
  const isPaid = (amountRaw: bigint) => refusalOf(amountRaw) === undefined
  const endRaw = findRefusedEnd(pool, paid, isPaid)
  let interval: Interval | undefined = [0n, endRaw]
  let largestRaw = 0n
  for (let gaps = 0; gaps < maxGaps && interval; gaps += 1) {
    ;[largestRaw] = bisect(interval, (amountRaw) => (isPaid(amountRaw) ? 'below' : 'above'))
    const refusal = refusalOf(largestRaw + 1n)
    interval = refusal && isOfOneInput(refusal) ? findLastPaid([largestRaw, endRaw], isPaid) : undefined
  }
  return largestRaw
}

const maxGaps = 8

/** How many inputs between a gap and the end are tried. */
const stepsBeyondGap = 64n

/** The last of even steps within an interval that is paid, and the next one; undefined if none is. */
function findLastPaid([fromRaw, toRaw]: Interval, isPaid: (amountRaw: bigint) => boolean): Interval | undefined {
  const stepRaw = (toRaw - fromRaw) / stepsBeyondGap + 1n
  for (let amountRaw = toRaw - stepRaw; amountRaw > fromRaw; amountRaw -= stepRaw) {
    if (isPaid(amountRaw)) return [amountRaw, amountRaw + stepRaw]
  }
  return undefined
}

/**
 * An input beyond all halts. A swap keeps at most a quarter of what it moves in the pool, so that the halt is at most about twice as
 * far as it would be if the pool's value stayed the same.
 */
function findRefusedEnd(
  { alpha, sides }: CurveState,
  paid: CurveSwap['paid'],
  isPaid: (amountRaw: bigint) => boolean,
): bigint {
  let endRaw = 1n
  try {
    const valueOf = (side: CurveSide) => toNumeraire(side, side.balanceRaw)
    const total = valueOf(sides[0]) + valueOf(sides[1])
    const room = ((fixedOne + alpha) * total) / (2n * fixedOne) - valueOf(sides[paid])
    if (room > 0n) endRaw = toRawUnits(sides[paid], 4n * room) + 1n
  } catch (error) {
    if (!(error instanceof CurveRevert)) throw error
  }
  while (isPaid(endRaw)) endRaw *= 2n
  return endRaw
}

/**
 * Returns the smallest input whose execution pays at least an output: one raw unit less pays less. Undefined if the pool pays it
 * for no input.
 */
export function findSmallestCurveInput(
  pool: CurveState,
  { paid, amountOutRaw, guessRaw, maxRaw }: findSmallestCurveInput.Request,
): bigint | undefined {
  const sideOf = (amountRaw: bigint): Side => {
    const outcome = tryExecution(pool, { paid, amountRaw })
    if (typeof outcome !== 'bigint') return undefined
    return outcome < amountOutRaw ? 'below' : 'above'
  }
  if (sideOf(maxRaw) !== 'above') return undefined
  const interval = findInterval(guessRaw < maxRaw ? guessRaw : maxRaw, maxRaw, sideOf)
  return bisect(interval, sideOf)[1]
}

export declare namespace findSmallestCurveInput {
  type Request = {
    readonly paid: CurveSwap['paid']
    readonly amountOutRaw: bigint
    /** About the input to find. */
    readonly guessRaw: bigint
    /** The largest input that the pool pays for. */
    readonly maxRaw: bigint
  }
}

/** An interval from nothing to the largest input at most, around a guess, with steps that double. */
function findInterval(guessRaw: bigint, maxRaw: bigint, sideOf: (amountRaw: bigint) => Side): Interval {
  if (sideOf(guessRaw) === 'above') {
    let [lowRaw, highRaw] = [guessRaw - 1n, guessRaw]
    while (lowRaw > 0n && sideOf(lowRaw) !== 'below') {
      if (sideOf(lowRaw) === 'above') highRaw = lowRaw
      lowRaw = guessRaw - 2n * (guessRaw - lowRaw)
    }
    return [lowRaw > 0n ? lowRaw : 0n, highRaw]
  }
  let [lowRaw, highRaw] = [0n, guessRaw]
  while (highRaw < maxRaw && sideOf(highRaw) !== 'above') {
    if (sideOf(highRaw) === 'below') lowRaw = highRaw
    highRaw = guessRaw + 2n * (highRaw - guessRaw) + 1n
  }
  return [lowRaw, highRaw < maxRaw ? highRaw : maxRaw]
}

/**
 * Returns an input that a pool pays for, beside those for which it does not converge: the nearest, unless they are interrupted.
 * Undefined if there is none up to twice the input.
 */
export function findNearestCurveInput(pool: CurveState, { paid, amountRaw }: CurveSwap): bigint | undefined {
  const isPaid = (nearRaw: bigint) => nearRaw > 0n && findRefusal(pool, { paid, amountRaw: nearRaw }) === undefined
  for (const nearRaw of listAround(amountRaw, amountRaw)) {
    if (!isPaid(nearRaw)) continue
    return nearRaw < amountRaw
      ? bisect([nearRaw, amountRaw], (value) => (isPaid(value) ? 'below' : 'above'))[0]
      : bisect([amountRaw, nearRaw], (value) => (isPaid(value) ? 'above' : 'below'))[1]
  }
  return undefined
}

/** Whether an input above one with this refusal may be paid: those above a halt, or that overflow, are refused too. */
function isOfOneInput(refusal: CurveRefusal): boolean {
  return refusal === 'Curve/swap-convergence-failed' || refusal === 'Curve/swap-invariant-violation'
}

/** Why the execution of a swap reverts; undefined if it pays. */
function findRefusal(pool: CurveState, swap: CurveSwap): CurveRefusal | undefined {
  const outcome = tryExecution(pool, swap)
  return typeof outcome === 'bigint' ? undefined : outcome
}

/** What the execution of a swap pays, or why it reverts. */
function tryExecution(pool: CurveState, swap: CurveSwap): bigint | CurveRefusal {
  try {
    return executeCurve(pool, swap)
  } catch (error) {
    if (error instanceof CurveRevert) return error.reason
    throw error
  }
}
