import { one } from '../integer/integers.ts'
import { formatFee, toPercent } from './formatFee.ts'

type Charging = { readonly epsilon: bigint }

let last: { readonly epsilons: readonly bigint[]; readonly text: string } | undefined

/**
 * Returns the fee rate of all pools of a route together, as percent: for two pools `1 - (1 - fee) x (1 - fee)`.
 *
 * The rate is exact. It has at least two fractional digits, and further zeros are cut off.
 *
 * @param hops the pools of the route, or its priced hops
 */
export function routeFeeRate(hops: readonly [Charging, ...Charging[]]): string {
  if (hops.length === 1) return formatFee(hops[0].epsilon)
  // The fees are usually the same as in the previous call.
  const isKnown =
    last?.epsilons.length === hops.length && hops.every(({ epsilon }, at) => epsilon === last?.epsilons[at])
  if (last === undefined || !isKnown) {
    const scale = one ** BigInt(hops.length)
    const kept = hops.reduce((product, { epsilon }) => product * (one - epsilon), 1n)
    last = { epsilons: hops.map(({ epsilon }) => epsilon), text: toPercent(scale - kept, 18 * hops.length) }
  }
  return last.text
}
