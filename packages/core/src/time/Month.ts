/** A calendar month in UTC, as `YYYY-MM`: what usage is counted by. */
export type Month = string

/** The month of a time. */
export function at(nowMs: number): Month {
  return new Date(nowMs).toISOString().slice(0, 7)
}

/** When a month begins, in milliseconds since 1970. */
export function startMs(month: Month): number {
  return Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)) - 1, 1)
}

/** When a month is over, in milliseconds since 1970: the first moment of the next one. */
export function endMs(month: Month): number {
  return Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1)
}
