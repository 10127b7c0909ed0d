import { sidesOf } from '../pool/PoolState.ts'
import { valueAtOracle } from '../pool/valueAtOracle.ts'
import type { ConversionRoute } from './findConversionRoute.ts'

/** How many raw units less than its view returns a pool of the DFX family may pay, at the same state. */
const viewToleranceRaw = 2n

/**
 * The least that a route can pay when it is executed on unchanged pools, in raw units of its last token: a pool priced locally
 * pays its quote exactly, a pool priced on chain may pay up to two units less than its view returned.
 *
 * @param amountOutRaw the quote for the route, in raw units
 */
export function getWorstCaseOut(route: ConversionRoute, amountOutRaw: bigint): bigint {
  const toleranceRaw = toleranceOf(route)
  return amountOutRaw > toleranceRaw ? amountOutRaw - toleranceRaw : 0n
}

/**
 * The smallest quote for a route that pays at least an output when it is executed on unchanged pools, in raw units of its last
 * token: the inverse of `getWorstCaseOut`.
 */
export function getQuoteForWorstCase(route: ConversionRoute, amountOutRaw: bigint): bigint {
  return amountOutRaw + toleranceOf(route)
}

function toleranceOf(route: ConversionRoute): bigint {
  let toleranceRaw = 0n
  for (const { pool, tokenIn, tokenOut } of route) {
    if (toleranceRaw > 0n) {
      const [origin, target] = sidesOf(pool, tokenIn, tokenOut)
      // Twice, as a pool that pays for balance may pay more than the oracles for the last units.
      toleranceRaw = 2n * (valueAtOracle(origin, target, toleranceRaw) + 1n)
    }
    if (pool.pricing === 'on-chain') toleranceRaw += viewToleranceRaw
  }
  return toleranceRaw
}
