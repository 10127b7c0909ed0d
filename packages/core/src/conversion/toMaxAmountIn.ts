import { ceilDiv, maxUint256 } from '../integer/integers.ts'

/**
 * Returns the largest input that a conversion of an exact output accepts: the quoted input plus a tolerance, rounded
 * up.
 *
 * @param amountInRaw the quoted input, in raw units
 * @param slippageBps the tolerance in basis points: an integer of at least 0
 * @returns raw units, at most 2^256 - 1
 */
export function toMaxAmountIn(amountInRaw: bigint, slippageBps: number): bigint {
  const raisedRaw = ceilDiv(amountInRaw * BigInt(10_000 + slippageBps), 10_000n)
  return raisedRaw < maxUint256 ? raisedRaw : maxUint256
}
