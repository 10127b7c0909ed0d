import { bisect, listAround, type Interval, type Side } from './bisect.ts'
import type { CurveState } from './CurveState.ts'
import { CurveRevert, type CurveRefusal } from './fixedPoint.ts'
import { executeCurve, type CurveSwap } from './quoteCurve.ts'

/**
 * Returns the largest input that a pool pays for, in raw units: it halts or overflows for larger ones. Of smaller ones there may be
 * some for which it does not converge. Zero if it pays for none.
 */
export function findLargestCurveInput(pool: CurveState, paid: CurveSwap['paid']): bigint {
  const refusalOf = (amountRaw: bigint) => findRefusal(pool, { paid, amountRaw })
  let largestRaw = refusalOf(1n) === undefined ? 1n : 0n
  for (let gaps = 0; gaps < maxGaps; gaps += 1) {
    const interval = findEnd(largestRaw, refusalOf)
    if (!interval) break
    ;[largestRaw] = bisect(interval, (amountRaw) => (refusalOf(amountRaw) === undefined ? 'below' : 'above'))
  }
  return largestRaw
}

// Inputs without convergence are rare below the halt, and few at a time.
const maxGaps = 8

type FindRefusal = (amountRaw: bigint) => CurveRefusal | undefined

/** An input beyond one that a pool pays for, and a larger one that it refuses; undefined if it refuses all beyond. */
function findEnd(largestRaw: bigint, refusalOf: FindRefusal): readonly [bigint, bigint] | undefined {
  let paidRaw: bigint | undefined
  for (let distance = 1n; ; distance *= 2n) {
    const amountRaw = largestRaw + distance
    const refusal = refusalOf(amountRaw)
    if (refusal === undefined) paidRaw = amountRaw
    else if (paidRaw !== undefined) return [paidRaw, amountRaw]
    else if (!isOfOneInput(refusal)) return undefined
  }
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
