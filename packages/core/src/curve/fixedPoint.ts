import { maxUint256 } from '../integer/integers.ts'

/**
 * Why a contract of the family reverts: its reason, or the code of a panic, or an empty text if a 64.64 number does not
 * fit. Panic 0x11 means that a sum or product does not fit, and panic 0x12 means a division by zero.
 */
export type CurveRefusal =
  | 'Curve/upper-halt'
  | 'Curve/lower-halt'
  | 'Curve/swap-convergence-failed'
  | 'Curve/swap-invariant-violation'
  | 'panic 0x11'
  | 'panic 0x12'
  | ''

/** A revert of the contract, found by our computation. */
export class CurveRevert extends Error {
  override name = 'CurveRevert'
  readonly reason: CurveRefusal

  constructor(reason: CurveRefusal) {
    super(`The contract reverts: ${reason || 'without a reason'}`)
    this.reason = reason
  }
}

/** One as a 64.64 fixed-point number: a bigint n represents n / 2^64, within int128. */
export const fixedOne = 1n << 64n

const maxInt128 = (1n << 127n) - 1n
const minInt128 = -(1n << 127n)

/**
 * Returns a result of the library for 64.64 numbers. The library reverts without a reason if the result does not fit.
 */
function toFixed(result: bigint): bigint {
  if (result > maxInt128 || result < minInt128) throw new CurveRevert('')
  return result
}

/** Returns a result of Solidity's own operators on int128. They panic if the result does not fit. */
function toChecked(result: bigint): bigint {
  if (result > maxInt128 || result < minInt128) throw new CurveRevert('panic 0x11')
  return result
}

/** Returns a sum, difference or product of uint256. The contract panics if it does not fit. */
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

/** Returns the product, rounded down. */
export function multiply(one: bigint, other: bigint): bigint {
  return toFixed((one * other) >> 64n)
}

/** Returns the quotient, rounded towards zero. The divisor is not zero. */
export function divide(dividend: bigint, divisor: bigint): bigint {
  return toFixed((dividend << 64n) / divisor)
}

/** Returns the quotient of two unsigned integers, rounded down. The divisor is not zero. */
export function divideIntegers(dividend: bigint, divisor: bigint): bigint {
  return toFixed((dividend << 64n) / divisor)
}

/** Returns the product of a number that is not negative and an integer below 2^128, rounded down to an integer. */
export function multiplyInteger(value: bigint, integer: bigint): bigint {
  return (value * integer) >> 64n
}

/** Returns the magnitude. The smallest number has none. */
export function magnitude(value: bigint): bigint {
  return toFixed(value < 0n ? -value : value)
}
