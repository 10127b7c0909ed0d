import * as Amount from './Amount.ts'
import { powerOfTen } from './powerOfTen.ts'

const fractionDigits = 8

/**
 * Writes how much of one token another one bought, in whole tokens: amount out / amount in.
 *
 * Eight fractional digits, and more for a rate below 0.1, so that at least eight digits are significant.
 * Digits beyond are cut off.
 */
export function format(amountIn: TokenAmount, amountOut: TokenAmount): string {
  const numerator = amountOut.raw * powerOfTen(amountIn.decimals)
  const denominator = amountIn.raw * powerOfTen(amountOut.decimals)
  if (denominator === 0n || numerator === 0n) return Amount.formatFixed(0n, fractionDigits, fractionDigits)
  let digits = fractionDigits
  let scaled = (numerator * powerOfTen(digits)) / denominator
  while (scaled < powerOfTen(fractionDigits - 1)) {
    digits += 1
    scaled = (numerator * powerOfTen(digits)) / denominator
  }
  return Amount.formatFixed(scaled, digits, digits)
}

/** Raw units of a token with that many decimals. */
export type TokenAmount = {
  readonly raw: bigint
  readonly decimals: number
}
