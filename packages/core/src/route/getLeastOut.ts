import { sidesOf } from '../pool/PoolState.ts'
import { valueAtOracle } from '../pool/valueAtOracle.ts'
import type { ConversionRoute } from './findConversionRoute.ts'

/** By how many raw units a pool of the family may pay less than its view says, at the same state. */
const viewToleranceRaw = 2n

/**
 * What executing a route pays at least, in raw units of its last token, where its pools are quoted as they stand: what our
 * maths knows is paid to the last unit, what a pool's view says may be paid up to two units less at each pool.
 *
 * @param amountOutRaw what the route was quoted
 */
export function getLeastOut(route: ConversionRoute, amountOutRaw: bigint): bigint {
  let toleranceRaw = 0n
  for (const { pool, tokenIn, tokenOut } of route) {
    if (toleranceRaw > 0n) {
      const [origin, target] = sidesOf(pool, tokenIn, tokenOut)
      // Twice, as a pool that pays for balance may pay more than the oracles for the last units.
      toleranceRaw = 2n * (valueAtOracle(origin, target, toleranceRaw) + 1n)
    }
    if (pool.pricing === 'on-chain') toleranceRaw += viewToleranceRaw
  }
  return amountOutRaw > toleranceRaw ? amountOutRaw - toleranceRaw : 0n
}
