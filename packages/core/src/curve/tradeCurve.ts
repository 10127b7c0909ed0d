import type { CurveParameters } from './CurveState.ts'
import { add, CurveRevert, divide, fixedOne, multiply, negate, subtract } from './fixedPoint.ts'

/** The values of both sides in dollars, as 64.64 numbers. */
export type CurveBalances = readonly [bigint, bigint]

/** A trade, in dollars, as 64.64 numbers. */
export type CurveTrade = {
  /** The balances before the trade. */
  readonly before: CurveBalances
  /** The balances after the given change and before the sought change. */
  readonly after: CurveBalances
  /** The given change: positive for an input, negative for an output. */
  readonly given: bigint
  /** The side whose change is sought. */
  readonly sought: 0 | 1
}

const maxRounds = 32

// Two rounds agree if they differ by less than this: half a millionth of a dollar.
const agreement = 10n ** 13n

// The most that a trade may take from the value of the pool minus its penalty: a millionth of a dollar.
const maxLoss = 0x10c6f7a0b5een

// Both sides have the same weight: 0.5, plus a constant that the pools add for the rounding of their own division.
const weight = (1n << 63n) + 18n

const maxPenaltyRate = 0x4000000000000000n

/**
 * Returns the change of the sought side before the fee: negative for an output, positive for an input.
 *
 * The penalty of the state after a trade depends on its result, so the contract iterates until two rounds agree. Each
 * step is computed in the order of the contract and with its rounding, since a result may depend on the last bit of a
 * round.
 *
 * @throws CurveRevert if the contract reverts
 */
export function tradeCurve(curve: CurveParameters, { before, after, given, sought }: CurveTrade): bigint {
  const totalBefore = add(before[0], before[1])
  const omega = penaltyOf(curve, before, totalBefore)
  let change = negate(given)
  // The sought amount leaves the pool when the given amount enters it, so the total stays the same.
  let total = subtract(add(after[0], after[1]), given)
  let balances = withSide(after, sought, subtract(after[sought], given))
  for (let round = 0; round < maxRounds; round += 1) {
    const psi = penaltyOf(curve, balances, total)
    const last = change
    change = negate(
      omega < psi ? subtract(add(given, omega), psi) : add(given, multiply(curve.lambda, subtract(omega, psi))),
    )
    total = add(add(totalBefore, given), change)
    balances = withSide(balances, sought, add(before[sought], change))
    if (change / agreement === last / agreement) {
      assertWithinHalts(curve, { before, totalBefore, balances, total })
      const gained = subtract(subtract(total, psi), subtract(totalBefore, omega))
      if (gained < -maxLoss) throw new CurveRevert('Curve/swap-invariant-violation')
      return change
    }
  }
  throw new CurveRevert('Curve/swap-convergence-failed')
}

function withSide([first, second]: CurveBalances, side: 0 | 1, balance: bigint): CurveBalances {
  return side === 0 ? [balance, second] : [first, balance]
}

/** Returns the penalty for the imbalance of both sides. */
function penaltyOf(curve: CurveParameters, balances: CurveBalances, total: bigint): bigint {
  const ideal = multiply(total, weight)
  return add(penaltyOfSide(curve, balances[0], ideal), penaltyOfSide(curve, balances[1], ideal))
}

function penaltyOfSide({ beta, delta }: CurveParameters, balance: bigint, ideal: bigint): bigint {
  const isBelow = balance < ideal
  const threshold = multiply(ideal, isBelow ? subtract(fixedOne, beta) : add(fixedOne, beta))
  if (isBelow ? balance >= threshold : balance <= threshold) return 0n
  const margin = isBelow ? subtract(threshold, balance) : subtract(balance, threshold)
  // The library refuses to divide by zero.
  if (ideal === 0n) throw new CurveRevert('')
  const rate = divide(multiply(margin, delta), ideal)
  return multiply(rate > maxPenaltyRate ? maxPenaltyRate : rate, margin)
}

type Change = {
  readonly before: CurveBalances
  readonly totalBefore: bigint
  readonly balances: CurveBalances
  readonly total: bigint
}

/**
 * Asserts that both sides are within their halts. A side that was beyond its halt may stay there if it moves no
 * further.
 */
function assertWithinHalts({ alpha }: CurveParameters, { before, totalBefore, balances, total }: Change): void {
  for (const side of [0, 1] as const) {
    const [balance, balanceBefore] = [balances[side], before[side]]
    const ideal = multiply(total, weight)
    const isAbove = balance > ideal
    const factor = isAbove ? add(fixedOne, alpha) : subtract(fixedOne, alpha)
    const halt = multiply(ideal, factor)
    if (isAbove ? balance <= halt : balance >= halt) continue
    const haltBefore = multiply(multiply(totalBefore, weight), factor)
    const excess: Excess = isAbove
      ? [balance, halt, balanceBefore, haltBefore]
      : [halt, balance, haltBefore, balanceBefore]
    assertNoFurther(excess, isAbove ? 'Curve/upper-halt' : 'Curve/lower-halt')
  }
}

type Excess = readonly [high: bigint, low: bigint, highBefore: bigint, lowBefore: bigint]

function assertNoFurther(
  [high, low, highBefore, lowBefore]: Excess,
  reason: 'Curve/upper-halt' | 'Curve/lower-halt',
): void {
  if (highBefore < lowBefore || subtract(high, low) > subtract(highBefore, lowBefore)) throw new CurveRevert(reason)
}
