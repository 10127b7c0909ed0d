import { assertQuotable } from '../pool/assertQuotable.ts'
import { getSmallestInput } from '../pool/getSmallestInput.ts'
import type { Hop } from '../pool/Hop.ts'
import { smallestInput } from '../pool/quoteExactOut.ts'
import { aboveRouteLimit } from './aboveRouteLimit.ts'
import { quoteRoute } from './quoteRoute.ts'
import type { ConversionRoute } from './Route.ts'

/** An exact input that pays at least a requested output, in raw units. */
export type RouteInput = { readonly amountInRaw: bigint; readonly amountOutRaw: bigint }

/**
 * Returns the smallest exact input for which a route without pools priced on chain pays at least an output, and what it
 * pays.
 *
 * @throws the errors of `quoteRoute`; the amount of `svc/above-max-origin` is an estimate of the input that the output
 * would cost
 */
export function findRouteInput(route: ConversionRoute, amountOutRaw: bigint, nowSeconds: bigint): RouteInput {
  for (const hop of route) assertQuotable(hop, amountOutRaw, nowSeconds)
  const [first, ...others] = route
  let firstOutRaw = getInput(others, amountOutRaw)
  for (let round = 0; round < maxRounds && firstOutRaw !== undefined; round += 1) {
    const amountInRaw = getSmallestInput(first, firstOutRaw)
    if (amountInRaw === undefined) break
    const paidRaw = quoteRoute(route, amountInRaw, nowSeconds)
    if (paidRaw >= amountOutRaw) return { amountInRaw, amountOutRaw: paidRaw }
    // The iteration of a curve stops within a millionth of a dollar of the price, so a slightly larger input may pay
    // less.
    firstOutRaw += 1n << BigInt(round)
  }
  const oracleInputRaw = route.reduceRight((amountRaw, hop) => smallestInput(hop, amountRaw), amountOutRaw)
  throw aboveRouteLimit(route, oracleInputRaw)
}

const maxRounds = 64

/** Returns the input of hops for an output; undefined if no input of a hop pays it. */
function getInput(hops: readonly Hop[], amountOutRaw: bigint): bigint | undefined {
  return hops.reduceRight<bigint | undefined>(
    (amountRaw, hop) => (amountRaw === undefined ? undefined : getSmallestInput(hop, amountRaw)),
    amountOutRaw,
  )
}
