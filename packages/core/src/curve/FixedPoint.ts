import * as Integer from '../integer/Integer.ts'
import { CurveRevert } from './CurveRevert.ts'

/** One as a 64.64 fixed-point number: a bigint n represents n / 2^64, within int128. */
export const one = 1n << 64n

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
  if (result > Integer.maxUint256 || result < 0n) throw new CurveRevert('panic 0x11')
  return result
}

/** Returns the sum. */
export function add(left: bigint, right: bigint): bigint {
  return toChecked(left + right)
}

/** Returns the difference. */
export function subtract(left: bigint, right: bigint): bigint {
  return toChecked(left - right)
}

/** Returns the number with the opposite sign. */
export function negate(value: bigint): bigint {
  return toChecked(-value)
}

/** Returns the product, rounded down. */
export function multiply(left: bigint, right: bigint): bigint {
  return toFixed((left * right) >> 64n)
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

/** Returns the magnitude. Reverts for the smallest number, whose magnitude does not fit. */
export function magnitude(value: bigint): bigint {
  return toFixed(value < 0n ? -value : value)
}
