/** A calendar month in UTC, as `YYYY-MM`: the period of usage and quotas. */
export type Month = string

/** Returns the month of a time in milliseconds since 1970. */
export function at(nowMs: number): Month {
  return new Date(nowMs).toISOString().slice(0, 7)
}

/** Returns the start of a month, in milliseconds since 1970. */
export function startMs(month: Month): number {
  return Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)) - 1, 1)
}

/** Returns the end of a month, in milliseconds since 1970: the start of the next month. */
export function endMs(month: Month): number {
  return Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1)
}
