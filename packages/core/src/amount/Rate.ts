import * as Integer from '../integer/Integer.ts'
import * as Amount from './Amount.ts'

const fractionDigits = 8

/**
 * Formats the rate of a conversion in whole tokens: amount out / amount in.
 *
 * The rate has eight fractional digits, and more below 0.1, so that at least eight digits are significant. Further digits are
 * cut off.
 *
 * @example
 * Rate.format({ raw: 100_000_000n, decimals: 6 }, { raw: 65_087_440n, decimals: 6 }) // '0.65087440'
 */
export function format(amountIn: TokenAmount, amountOut: TokenAmount): string {
  const numerator = amountOut.raw * Integer.powerOfTen(amountIn.decimals)
  const denominator = amountIn.raw * Integer.powerOfTen(amountOut.decimals)
  if (denominator === 0n || numerator === 0n) return Amount.formatFixed(0n, fractionDigits, fractionDigits)
  let digits = fractionDigits
  let scaled = (numerator * Integer.powerOfTen(digits)) / denominator
  while (scaled < Integer.powerOfTen(fractionDigits - 1)) {
    digits += 1
    scaled = (numerator * Integer.powerOfTen(digits)) / denominator
  }
  return Amount.formatFixed(scaled, digits, digits)
}

/** An amount in raw units of a token with the given decimals. */
export type TokenAmount = {
  readonly raw: bigint
  readonly decimals: number
}
