import { one } from '../integer/integers.ts'
import { formatFee, toPercent } from './formatFee.ts'

type Charging = { readonly epsilon: bigint }

let last: { readonly epsilons: readonly bigint[]; readonly text: string } | undefined

/**
 * Returns the rate that the pools of a route charge together, `1 - (1 - fee) x (1 - fee)` over two, as percent: exact, with two
 * fractional digits, and more without trailing zeros.
 *
 * @param hops the pools of the route, or its priced hops
 */
export function routeFeeRate(hops: readonly [Charging, ...Charging[]]): string {
  if (hops.length === 1) return formatFee(hops[0].epsilon)
  // Usually the same fees as in the previous call.
  const isKnown =
    last?.epsilons.length === hops.length && hops.every(({ epsilon }, at) => epsilon === last?.epsilons[at])
  if (last === undefined || !isKnown) {
    const scale = one ** BigInt(hops.length)
    const kept = hops.reduce((product, { epsilon }) => product * (one - epsilon), 1n)
    last = { epsilons: hops.map(({ epsilon }) => epsilon), text: toPercent(scale - kept, 18 * hops.length) }
  }
  return last.text
}
