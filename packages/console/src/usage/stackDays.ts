import { type Month, listDays } from './months.ts'

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
