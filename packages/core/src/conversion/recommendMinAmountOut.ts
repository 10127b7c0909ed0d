/**
 * The quoted output less 0.05 %, rounded down, and at least one raw unit, so that it is always a valid minimum.
 *
 * @param leastOutRaw what executing the quote pays at least, where that may be less than the quote: no minimum is above it
 */
export function recommendMinAmountOut(amountOutRaw: bigint, leastOutRaw = amountOutRaw): bigint {
  const reducedRaw = (amountOutRaw * 9995n) / 10000n
  const minRaw = reducedRaw < leastOutRaw ? reducedRaw : leastOutRaw
  return minRaw > 0n ? minRaw : 1n
}
