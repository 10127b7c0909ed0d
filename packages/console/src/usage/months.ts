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

/** The calls of one day by series. Refused calls are counted separately. */
export type DayCalls = {
  /** `2026-11-22`, UTC. */
  readonly day: string
  readonly callsBySeries: Readonly<Record<string, number>>
  readonly refused: number
}

/** A bar with its stacked parts, the refused calls last. */
export type Bar = {
  readonly day: string
  readonly parts: readonly Part[]
  /** All calls of the day, including refused calls. */
  readonly total: number
}

type Part = {
  /** Name of the series. Undefined for refused calls. */
  readonly series: string | undefined
  readonly from: number
  readonly to: number
}

/** Stacks the calls of each day of a month, in the order of the series. A day without calls has a bar without parts. */
export function stackDays(days: readonly DayCalls[], month: Month, series: readonly string[]): readonly Bar[] {
  const daysByDate = new Map(days.map((day) => [day.day, day]))
  return listDays(month).map((day) => {
    const { callsBySeries = {}, refused = 0 } = daysByDate.get(day) ?? {}
    const counts = [...series.map((name) => [name, callsBySeries[name] ?? 0] as const), [undefined, refused] as const]
    let total = 0
    const parts = counts.map(([name, count]) => ({ series: name, from: total, to: (total += count) }))
    return { day, parts: parts.filter(({ from, to }) => to > from), total }
  })
}

/** The series for all operations without their own series. */
export const otherOperations = 'Other operations'

/**
 * Chooses the operations that get their own series, most calls first. If there are more than `max`, the last series
 * contains all others.
 */
export function chooseSeries(callsByOperation: Readonly<Record<string, number>>, max: number): readonly string[] {
  const names = Object.entries(callsByOperation)
    .sort(([left, leftCalls], [right, rightCalls]) => rightCalls - leftCalls || left.localeCompare(right, 'en'))
    .map(([name]) => name)
  return names.length <= max ? names : [...names.slice(0, max - 1), otherOperations]
}

/** Sums the calls of a day by series. */
export function groupBySeries(
  callsByOperation: Readonly<Record<string, number>>,
  series: readonly string[],
): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {}
  for (const [operation, calls] of Object.entries(callsByOperation)) {
    const name = series.includes(operation) ? operation : otherOperations
    sums[name] = (sums[name] ?? 0) + calls
  }
  return sums
}
