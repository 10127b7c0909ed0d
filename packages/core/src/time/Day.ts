import type { Month } from './Month.ts'

/** A calendar day in UTC, as `YYYY-MM-DD`. Usage is counted by day. */
export type Day = string

/** Returns the day of a time in milliseconds since 1970. */
export function at(nowMs: number): Day {
  return new Date(nowMs).toISOString().slice(0, 10)
}

/** Returns the month of a day. */
export function toMonth(day: Day): Month {
  return day.slice(0, 7)
}
