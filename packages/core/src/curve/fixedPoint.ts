import { maxUint256 } from '../integer/integers.ts'

/**
 * Why a contract of the family reverts: its reason, the code of a panic (0x11: a sum or product that does not fit, 0x12: a division
 * by zero), or nothing, where a 64.64 number does not fit.
 */
export type CurveRefusal =
  | 'Curve/upper-halt'
  | 'Curve/lower-halt'
  | 'Curve/swap-convergence-failed'
  | 'Curve/swap-invariant-violation'
  | 'panic 0x11'
  | 'panic 0x12'
  | ''

/** A revert of the contract, in our computation of it. */
export class CurveRevert extends Error {
  override name = 'CurveRevert'
  readonly reason: CurveRefusal

  constructor(reason: CurveRefusal) {
    super(`The contract reverts: ${reason || 'without a reason'}`)
    this.reason = reason
  }
}

/** One as a 64.64 fixed-point number: a bigint n stands for n / 2^64, within int128. */
export const fixedOne = 1n << 64n

const maxInt128 = (1n << 127n) - 1n
const minInt128 = -(1n << 127n)

/** Returns a result of the library of 64.64 numbers, which reverts without a reason if it does not fit. */
function toFixed(result: bigint): bigint {
  if (result > maxInt128 || result < minInt128) throw new CurveRevert('')
  return result
}

/** Returns a result of Solidity's own operators on int128, which panic if it does not fit. */
function toChecked(result: bigint): bigint {
  if (result > maxInt128 || result < minInt128) throw new CurveRevert('panic 0x11')
  return result
}

/** Returns a sum, difference or product of uint256, which panics if it does not fit. */
export function toUint256(result: bigint): bigint {
  if (result > maxUint256 || result < 0n) throw new CurveRevert('panic 0x11')
  return result
}

export function add(one: bigint, other: bigint): bigint {
  return toChecked(one + other)
}

export function subtract(one: bigint, other: bigint): bigint {
  return toChecked(one - other)
}

export function negate(value: bigint): bigint {
  return toChecked(-value)
}

/** The product, rounded down. */
export function multiply(one: bigint, other: bigint): bigint {
  return toFixed((one * other) >> 64n)
}

/** The quotient, rounded towards zero. The divisor is not zero. */
export function divide(dividend: bigint, divisor: bigint): bigint {
  return toFixed((dividend << 64n) / divisor)
}

/** The quotient of two unsigned integers, rounded down. The divisor is not zero. */
export function divideIntegers(dividend: bigint, divisor: bigint): bigint {
  return toFixed((dividend << 64n) / divisor)
}

/** The product of a number that is not negative and an integer below 2^128, rounded down to an integer. */
export function multiplyInteger(value: bigint, integer: bigint): bigint {
  return (value * integer) >> 64n
}

/** The magnitude. The smallest number has none. */
export function magnitude(value: bigint): bigint {
  return toFixed(value < 0n ? -value : value)
}
