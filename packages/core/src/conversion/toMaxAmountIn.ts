const maxUint256 = 2n ** 256n - 1n

/**
 * The largest input that a conversion of an exact output accepts: the quoted input and a tolerance, rounded up.
 *
 * @param amountInRaw the quoted input, in raw units
 * @param slippageBps the tolerance in basis points: an integer of at least 0
 * @returns raw units, at most 2^256 - 1
 */
export function toMaxAmountIn(amountInRaw: bigint, slippageBps: number): bigint {
  const raisedRaw = (amountInRaw * BigInt(10_000 + slippageBps) + 9_999n) / 10_000n
  return raisedRaw < maxUint256 ? raisedRaw : maxUint256
}
