import { one } from '../pool/integers.ts'
import { toPercent } from './formatFee.ts'

type Charging = { readonly epsilon: bigint }

let last: { readonly first: bigint; readonly second: bigint; readonly text: string } | undefined

/**
 * Returns the rate that the pools of a route charge together, `1 - (1 - fee) x (1 - fee)` over two, as percent: exact, with two
 * fractional digits, and more without trailing zeros.
 *
 * @param hops the pools of the route, or its priced hops
 */
export function routeFeeRate([{ epsilon: first }, second]: readonly [Charging, Charging?]): string {
  const ofSecond = second?.epsilon ?? 0n
  // Usually the same fees as in the previous call.
  if (last?.first !== first || last.second !== ofSecond) {
    const text = toPercent(one * one - (one - first) * (one - ofSecond), 36)
    last = { first, second: ofSecond, text }
  }
  return last.text
}
