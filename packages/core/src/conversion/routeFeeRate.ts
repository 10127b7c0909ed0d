import { one } from '../pool/integers.ts'
import { formatFee, toPercent } from './formatFee.ts'

type Charging = { readonly epsilon: bigint }

let last: { readonly first: bigint; readonly second: bigint; readonly text: string } | undefined

/**
 * Returns the rate that the pools of a route charge together, `1 - (1 - fee) x (1 - fee)` over two, as percent: exact, with two
 * fractional digits, and more without trailing zeros.
 *
 * @param hops the pools of the route, or its priced hops
 */
export function routeFeeRate([first, second]: readonly [Charging, (Charging | undefined)?]): string {
  if (!second) return formatFee(first.epsilon)
  // Usually the same fees as in the previous call.
  if (last?.first !== first.epsilon || last.second !== second.epsilon) {
    const rate = one * one - (one - first.epsilon) * (one - second.epsilon)
    last = { first: first.epsilon, second: second.epsilon, text: toPercent(rate, 36) }
  }
  return last.text
}
