/** Writes a block's or an oracle's time, in seconds, as ISO 8601; what no date can hold is written as the epoch. */
export function toTimestamp(seconds: bigint): string {
  return new Date(seconds <= 8_640_000_000_000n ? Number(seconds) * 1000 : 0).toISOString()
}
