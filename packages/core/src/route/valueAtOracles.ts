import { powerOfTen } from '../amount/powerOfTen.ts'
import type { PricedHop } from './PricedHop.ts'

/**
 * Returns the value of an input at the oracle prices of all hops, before any fee, in raw units of the last token. The
 * result is rounded down once: nothing is rounded in the token between two hops.
 *
 * @throws RangeError if a price is not positive
 */
export function valueAtOracles(hops: readonly PricedHop[], amountInRaw: bigint): bigint {
  let [numerator, denominator] = [amountInRaw, 1n]
  for (const { tokenInAnswer, tokenOutAnswer, decimalsIn, decimalsOut } of hops) {
    if (tokenInAnswer <= 0n || tokenOutAnswer <= 0n) {
      throw new RangeError(`Cannot value an amount: the prices are ${tokenInAnswer} and ${tokenOutAnswer}`)
    }
    numerator *= tokenInAnswer * powerOfTen(decimalsOut)
    denominator *= tokenOutAnswer * powerOfTen(decimalsIn)
  }
  return numerator / denominator
}
