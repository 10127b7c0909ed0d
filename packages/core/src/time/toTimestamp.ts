const maxDateSeconds = 8_640_000_000_000n

/**
 * Writes a block's or an oracle's time, in seconds, as ISO 8601 in UTC.
 *
 * An oracle can answer any uint256: what no date can hold is written as the epoch.
 */
export function toTimestamp(seconds: bigint): string {
  // Many answers in a row tell the time of the same block.
  if (last?.seconds !== seconds) last = { seconds, text: format(seconds) }
  return last.text
}

let last: { readonly seconds: bigint; readonly text: string } | undefined

function format(seconds: bigint): string {
  return new Date(seconds <= maxDateSeconds ? Number(seconds) * 1000 : 0).toISOString()
}
