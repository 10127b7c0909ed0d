const maxDateSeconds = 8_640_000_000_000n

/**
 * Formats a time of a block or an oracle, in seconds since 1970, as ISO 8601 in UTC.
 *
 * An oracle can return any uint256. A time beyond the range of dates is formatted as 1970-01-01.
 *
 * @example
 * Timestamp.fromSeconds(1_800_000_000n) // '2027-01-15T08:00:00.000Z'
 */
export function fromSeconds(seconds: bigint): string {
  // Many consecutive responses contain the time of the same block.
  if (last?.seconds !== seconds) last = { seconds, text: format(seconds) }
  return last.text
}

let last: { readonly seconds: bigint; readonly text: string } | undefined

function format(seconds: bigint): string {
  return new Date(seconds <= maxDateSeconds ? Number(seconds) * 1000 : 0).toISOString()
}

/** Unix seconds: the last second of the year 9999. The year of an ISO 8601 date has four digits. */
export const maxSeconds = 253_402_300_799n
