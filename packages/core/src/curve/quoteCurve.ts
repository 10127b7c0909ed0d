import { toNumeraire, toRawUnits, type CurveSide, type CurveState } from './CurveState.ts'
import { add, CurveRevert, fixedOne, magnitude, multiply, negate, subtract, toUint256 } from './fixedPoint.ts'
import { tradeCurve, type CurveBalances } from './tradeCurve.ts'

/** A swap through a pool of the family. */
export type CurveSwap = {
  /** The index of the token that is paid: 0 is the foreign token. The other token is received. */
  readonly paid: 0 | 1
  /** Raw units of the paid token for an exact input, or of the received token for an exact output. */
  readonly amountRaw: bigint
}

/**
 * Returns the output that the execution of an exact input transfers, in raw units.
 *
 * @throws CurveRevert if the execution reverts
 */
export function executeCurve(pool: CurveState, { paid, amountRaw }: CurveSwap): bigint {
  const side = pool.sides[paid]
  let given = 0n
  const balances = readBalances(pool, paid, () => {
    const after = toNumeraire(side, toUint256(side.balanceRaw + amountRaw))
    given = toNumeraire(side, amountRaw)
    return [subtract(after, given), after]
  })
  return payOut(pool, { paid, given, ...balances })
}

/**
 * Returns the result of the view of an exact input, in raw units.
 *
 * It may differ from the execution by some units: the view adds the value of the input to the value of the balance. The
 * execution subtracts it from the value of the balance after the transfer.
 *
 * @throws CurveRevert if the view reverts
 */
export function viewCurve(pool: CurveState, { paid, amountRaw }: CurveSwap): bigint {
  const { given, ...balances } = viewBalances(pool, paid, (side) => toNumeraire(side, amountRaw))
  return payOut(pool, { paid, given, ...balances })
}

/**
 * Returns the result of the view of an exact output, in raw units: the input that it costs.
 *
 * @throws CurveRevert if the view reverts
 */
export function viewCurveInput(pool: CurveState, { paid, amountRaw }: CurveSwap): bigint {
  const received = otherOf(paid)
  const balances = viewBalances(pool, received, (side) => negate(toNumeraire(side, amountRaw)))
  const change = tradeCurve(pool, { ...balances, sought: paid })
  const cost = multiply(change, add(fixedOne, pool.epsilon))
  // The library refuses to convert negative values.
  if (cost < 0n) throw new CurveRevert('')
  return toRawUnits(pool.sides[paid], cost)
}

type Balances = {
  readonly before: CurveBalances
  readonly after: CurveBalances
}

function payOut(
  pool: CurveState,
  { paid, ...trade }: Balances & { readonly paid: 0 | 1; readonly given: bigint },
): bigint {
  const received = otherOf(paid)
  const change = tradeCurve(pool, { ...trade, sought: received })
  // The change is negative. Rounding it down rounds its magnitude up.
  return toRawUnits(pool.sides[received], magnitude(multiply(change, subtract(fixedOne, pool.epsilon))))
}

function viewBalances(
  pool: CurveState,
  changed: 0 | 1,
  toChange: (side: CurveSide) => bigint,
): Balances & { readonly given: bigint } {
  const side = pool.sides[changed]
  let given = 0n
  const balances = readBalances(pool, changed, () => {
    given = toChange(side)
    const before = toNumeraire(side, side.balanceRaw)
    return [before, add(before, given)]
  })
  return { ...balances, given }
}

/** Values both sides in the order of the contract, which reverts for the first value that does not fit. */
function readBalances(
  { sides }: CurveState,
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
