import { formatDuration } from '../time/formatDuration.ts'

/** A calendar month in UTC, such as `2026-11`. The service counts usage by UTC month. */
export type Month = string

/** Returns the month of a time in milliseconds. */
export function toMonth(nowMs: number): Month {
  return new Date(nowMs).toISOString().slice(0, 7)
}

/** Lists a month and the months before it, newest first. */
export function listMonths(last: Month, count: number): readonly Month[] {
  const [year = 0, month = 0] = last.split('-').map(Number)
  return Array.from({ length: count }, (_, index) => toMonth(Date.UTC(year, month - 1 - index)))
}

/** Lists the months from the month of `time` to `last`, newest first. Returns only `last` if the time is later. */
export function listMonthsSince(time: string, last: Month): readonly Month[] {
  const [first, end] = [time.slice(0, 7), last].map((month) => {
    const [year = 0, number = 0] = month.split('-').map(Number)
    return year * 12 + number
  }) as [number, number]
  return listMonths(last, Math.max(1, end - first + 1))
}

/** Lists the days of a month, such as `2026-11-01`. */
export function listDays(month: Month): readonly string[] {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate()
  return Array.from({ length: count }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`)
}

/** Returns the end of a month in milliseconds, when quotas reset. */
export function endOfMonth(month: Month): number {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return Date.UTC(year, number, 1)
}

/** Formats a month: `November 2026`. */
export function formatMonth(month: Month): string {
  return format(`${month}-01`, { month: 'long', year: 'numeric' })
}

/** Formats a day: `Sun 22 Nov`. */
export function formatDay(day: string): string {
  return `${format(day, { weekday: 'short' })} ${format(day, { day: 'numeric', month: 'short' })}`
}

function format(day: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(Date.parse(`${day}T00:00:00Z`))
}

const units: Readonly<Record<number, string>> = { 1: 'second', 60: 'minute', 3600: 'hour', 86_400: 'day' }

/** Formats the length of a window to follow "per": `second`, `minute`, `15 min`. */
export function formatPeriod(seconds: number): string {
  return units[seconds] ?? formatDuration(seconds)
}
