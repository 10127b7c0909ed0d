import { CurveRevert } from './CurveRevert.ts'
import {
  add,
  divide,
  divideIntegers,
  magnitude,
  multiply,
  multiplyInteger,
  negate,
  one,
  subtract,
  toUint256,
} from './FixedPoint.ts'

/** A pool of the DFX v2 / Stabull v1 family at one block, with the values that its contracts store. */
export type Curve = Parameters & { readonly sides: readonly [Side, Side] }

/** The parameters of a curve, as 64.64 fixed-point numbers, returned by `curve()` of the pool. */
export type Parameters = {
  /** The halt: how far a side may move from its ideal share of the pool's value. */
  readonly alpha: bigint
  /** The flat zone: how far a side may move without a penalty. */
  readonly beta: bigint
  /** How steeply the penalty grows beyond the flat zone. */
  readonly delta: bigint
  /** The fee on the output. */
  readonly epsilon: bigint
  /** The part of the penalty that is paid back to a swap that moves a side closer to its ideal share. */
  readonly lambda: bigint
}

/** One side of a pool. */
export type Side = {
  /** The pool's balance of the token, in raw units. */
  readonly balanceRaw: bigint
  /** Dollars per whole token in the decimals of the oracle: its raw answer. */
  readonly answer: bigint
  /** Immutables of the assimilator. They may differ from the decimals of the oracle and of the token. */
  readonly oracleDecimals: number
  readonly tokenDecimals: number
}

/** Returns the value of raw units of a side in dollars, as a 64.64 number. @throws CurveRevert */
export function toNumeraire({ answer, oracleDecimals, tokenDecimals }: Side, amountRaw: bigint): bigint {
  const value = toUint256(amountRaw * toRate(answer)) / 10n ** BigInt(oracleDecimals)
  return divideIntegers(value, 10n ** BigInt(tokenDecimals))
}

/** Returns the raw units of a value in dollars that is not negative, rounded down. @throws CurveRevert */
export function toRawUnits({ answer, oracleDecimals, tokenDecimals }: Side, value: bigint): bigint {
  const units = multiplyInteger(value, 10n ** BigInt(tokenDecimals))
  const dividend = toUint256(units * 10n ** BigInt(oracleDecimals))
  const rate = toRate(answer)
  if (rate === 0n) throw new CurveRevert('panic 0x12')
  return dividend / rate
}

/** Converts an answer to unsigned, as the contracts of the family do. */
function toRate(answer: bigint): bigint {
  return BigInt.asUintN(256, answer)
}

/** A swap through a pool of the family. */
export type Swap = {
  /** The index of the input token: 0 is the foreign token. The other token is the output. */
  readonly inputIndex: 0 | 1
  /** Raw units of the input for an exact input, or of the output for an exact output. */
  readonly amountRaw: bigint
}

/**
 * Returns the output that the execution of an exact input transfers, in raw units.
 *
 * @throws CurveRevert if the execution reverts
 */
export function execute(curve: Curve, { inputIndex, amountRaw }: Swap): bigint {
  const side = curve.sides[inputIndex]
  let given = 0n
  const balances = valueSides(curve, inputIndex, () => {
    const after = toNumeraire(side, toUint256(side.balanceRaw + amountRaw))
    given = toNumeraire(side, amountRaw)
    return [subtract(after, given), after]
  })
  return payOut(curve, { inputIndex, given, ...balances })
}

/**
 * Returns the result of the view of an exact input, in raw units.
 *
 * It may differ from the execution by some units: the view adds the value of the input to the value of the balance. The
 * execution subtracts it from the value of the balance after the transfer.
 *
 * @throws CurveRevert if the view reverts
 */
export function view(curve: Curve, { inputIndex, amountRaw }: Swap): bigint {
  const { given, ...balances } = viewBalances(curve, inputIndex, (side) => toNumeraire(side, amountRaw))
  return payOut(curve, { inputIndex, given, ...balances })
}

/**
 * Returns the result of the view of an exact output, in raw units: the input that it costs.
 *
 * @throws CurveRevert if the view reverts
 */
export function viewInput(curve: Curve, { inputIndex, amountRaw }: Swap): bigint {
  const received = otherOf(inputIndex)
  const balances = viewBalances(curve, received, (side) => negate(toNumeraire(side, amountRaw)))
  const change = trade(curve, { ...balances, sought: inputIndex })
  const cost = multiply(change, add(one, curve.epsilon))
  // The library refuses to convert negative values.
  if (cost < 0n) throw new CurveRevert('')
  return toRawUnits(curve.sides[inputIndex], cost)
}

type Balances = {
  readonly before: Values
  readonly after: Values
}

function payOut(
  curve: Curve,
  { inputIndex, ...balances }: Balances & { readonly inputIndex: 0 | 1; readonly given: bigint },
): bigint {
  const received = otherOf(inputIndex)
  const change = trade(curve, { ...balances, sought: received })
  // The change is negative. Rounding it down rounds its magnitude up.
  return toRawUnits(curve.sides[received], magnitude(multiply(change, subtract(one, curve.epsilon))))
}

function viewBalances(
  curve: Curve,
  changed: 0 | 1,
  toChange: (side: Side) => bigint,
): Balances & { readonly given: bigint } {
  const side = curve.sides[changed]
  let given = 0n
  const balances = valueSides(curve, changed, () => {
    given = toChange(side)
    const before = toNumeraire(side, side.balanceRaw)
    return [before, add(before, given)]
  })
  return { ...balances, given }
}

/** Values both sides in the order of the contract, which reverts for the first value that does not fit. */
function valueSides(
  { sides }: Curve,
  changed: 0 | 1,
  valueChanged: () => readonly [before: bigint, after: bigint],
): Balances {
  const valueOf = (side: 0 | 1) => {
    if (side === changed) return valueChanged()
    const value = toNumeraire(sides[side], sides[side].balanceRaw)
    return [value, value] as const
  }
  const [first, second] = [valueOf(0), valueOf(1)]
  return { before: [first[0], second[0]], after: [first[1], second[1]] }
}

function otherOf(side: 0 | 1): 0 | 1 {
  return side === 0 ? 1 : 0
}

/** The values of both sides in dollars, as 64.64 numbers. */
type Values = readonly [bigint, bigint]

/** A trade, in dollars, as 64.64 numbers. */
type Trade = {
  /** The balances before the trade. */
  readonly before: Values
  /** The balances after the given change and before the sought change. */
  readonly after: Values
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
function trade(curve: Parameters, { before, after, given, sought }: Trade): bigint {
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

function withSide([first, second]: Values, side: 0 | 1, balance: bigint): Values {
  return side === 0 ? [balance, second] : [first, balance]
}

/** Returns the penalty for the imbalance of both sides. */
function penaltyOf(curve: Parameters, balances: Values, total: bigint): bigint {
  const ideal = multiply(total, weight)
  return add(penaltyOfSide(curve, balances[0], ideal), penaltyOfSide(curve, balances[1], ideal))
}

function penaltyOfSide({ beta, delta }: Parameters, balance: bigint, ideal: bigint): bigint {
  const isBelow = balance < ideal
  const threshold = multiply(ideal, isBelow ? subtract(one, beta) : add(one, beta))
  if (isBelow ? balance >= threshold : balance <= threshold) return 0n
  const margin = isBelow ? subtract(threshold, balance) : subtract(balance, threshold)
  // The library refuses to divide by zero.
  if (ideal === 0n) throw new CurveRevert('')
  const rate = divide(multiply(margin, delta), ideal)
  return multiply(rate > maxPenaltyRate ? maxPenaltyRate : rate, margin)
}

type Change = {
  readonly before: Values
  readonly totalBefore: bigint
  readonly balances: Values
  readonly total: bigint
}

/**
 * Asserts that both sides are within their halts. A side that was beyond its halt may stay there if it moves no
 * further.
 */
function assertWithinHalts({ alpha }: Parameters, { before, totalBefore, balances, total }: Change): void {
  for (const side of [0, 1] as const) {
    const [balance, balanceBefore] = [balances[side], before[side]]
    const ideal = multiply(total, weight)
    const isAbove = balance > ideal
    const factor = isAbove ? add(one, alpha) : subtract(one, alpha)
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
