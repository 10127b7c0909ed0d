import type { Month } from './Month.ts'

/** A calendar day in UTC, as `YYYY-MM-DD`. Usage is counted by day. */
export type Day = string

const dayMs = 86_400_000

/** Returns the day of a time in milliseconds since 1970. */
export function at(nowMs: number): Day {
  return new Date(nowMs).toISOString().slice(0, 10)
}

/** Returns the start of a day, in milliseconds since 1970. */
export function startMs(day: Day): number {
  return Date.parse(`${day}T00:00:00.000Z`)
}

/** Returns the end of a day, in milliseconds since 1970: the start of the next day. */
export function endMs(day: Day): number {
  return startMs(day) + dayMs
}

/** Returns the month of a day. */
export function toMonth(day: Day): Month {
  return day.slice(0, 7)
}
