// A plot of ten thousand pixels shows only four digits of a share.
const precision = 1_000_000_000_000n

/** Returns a share for a plot: 0.25 for 1 of 4. It is zero for a whole of zero, and negative for a negative part. */
export function toShare(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * precision) / whole) / Number(precision)
}
