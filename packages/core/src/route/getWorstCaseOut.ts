import { valueAtOracle } from '../pool/valueAtOracle.ts'
import type { ConversionRoute } from './Route.ts'

/** A pool of the DFX family may pay up to this many raw units less than its view returns at the same state. */
const viewToleranceRaw = 2n

/**
 * Returns the least that a route can pay when it is executed on unchanged pools, in raw units of its last token. A pool
 * priced locally pays its quote exactly. A pool priced on chain may pay up to two units less than its view returned.
 *
 * @param amountOutRaw the quote for the route, in raw units
 */
export function getWorstCaseOut(route: ConversionRoute, amountOutRaw: bigint): bigint {
  const toleranceRaw = toleranceOf(route)
  return amountOutRaw > toleranceRaw ? amountOutRaw - toleranceRaw : 0n
}

/**
 * Returns the smallest quote for a route that pays at least an output when it is executed on unchanged pools, in raw
 * units of its last token. This is the inverse of `getWorstCaseOut`.
 */
export function getQuoteForWorstCase(route: ConversionRoute, amountOutRaw: bigint): bigint {
  return amountOutRaw + toleranceOf(route)
}

function toleranceOf(route: ConversionRoute): bigint {
  let toleranceRaw = 0n
  for (const hop of route) {
    // The tolerance is doubled, since a pool that rewards balance may pay more than the oracles for the last units.
    if (toleranceRaw > 0n) toleranceRaw = 2n * (valueAtOracle(hop, toleranceRaw) + 1n)
    if (hop.pool.pricing === 'on-chain') toleranceRaw += viewToleranceRaw
  }
  return toleranceRaw
}
