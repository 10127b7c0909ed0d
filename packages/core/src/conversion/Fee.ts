import * as Amount from '../amount/Amount.ts'
import * as Integer from '../integer/Integer.ts'

let lastFee: { readonly epsilon: bigint; readonly text: string } | undefined

/**
 * Formats a pool's fee, given with 18 decimals, as percent with at least two fractional digits. Further zeros are cut
 * off.
 *
 * @example
 * Fee.format(5n * 10n ** 14n) // '0.05%'
 */
export function format(epsilon: bigint): string {
  // The fee is usually the same as in the previous call.
  if (lastFee?.epsilon !== epsilon) lastFee = { epsilon, text: toPercent(epsilon, 18) }
  return lastFee.text
}

type WithFee = { readonly epsilon: bigint }

let lastRoute: { readonly epsilons: readonly bigint[]; readonly text: string } | undefined

/**
 * Returns the fee rate of all pools of a route together, as percent: for two pools `1 - (1 - fee) x (1 - fee)`.
 *
 * The rate is exact. It has at least two fractional digits, and further zeros are cut off.
 *
 * @param hops the pools of the route, or its priced hops
 *
 * @example
 * Fee.formatRoute([{ epsilon: 5n * 10n ** 14n }, { epsilon: 5n * 10n ** 14n }]) // '0.099975%'
 */
export function formatRoute(hops: readonly [WithFee, ...WithFee[]]): string {
  if (hops.length === 1) return format(hops[0].epsilon)
  // The fees are usually the same as in the previous call.
  const isCached =
    lastRoute?.epsilons.length === hops.length &&
    hops.every(({ epsilon }, index) => epsilon === lastRoute?.epsilons[index])
  if (lastRoute === undefined || !isCached) {
    const scale = Integer.wad ** BigInt(hops.length)
    const kept = hops.reduce((product, { epsilon }) => product * (Integer.wad - epsilon), 1n)
    lastRoute = { epsilons: hops.map(({ epsilon }) => epsilon), text: toPercent(scale - kept, 18 * hops.length) }
  }
  return lastRoute.text
}

/** Formats a rate with the given decimals as percent with at least two fractional digits. Further zeros are cut off. */
function toPercent(rate: bigint, decimals: number): string {
  return `${Amount.format(rate, decimals - 2).replace(/(\.\d\d\d*?)0*$/, '$1')}%`
}
