/** The quoted output less 0.05 %, rounded down, and at least one raw unit, so that it is always a valid minimum. */
export function recommendMinAmountOut(amountOutRaw: bigint): bigint {
  const minRaw = (amountOutRaw * 9995n) / 10000n
  return minRaw > 0n ? minRaw : 1n
}
