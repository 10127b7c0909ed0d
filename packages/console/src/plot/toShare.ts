// A picture of ten thousand pixels shows four digits of a share.
const precision = 1_000_000_000_000n

/** Returns a share for a picture: 0.25 of 1 and 4. It is zero of a whole of zero, and negative of a negative part. */
export function toShare(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * precision) / whole) / Number(precision)
}
