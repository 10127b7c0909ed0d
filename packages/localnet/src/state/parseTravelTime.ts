import { Errors, type ServiceError } from '@agio/core'

/** A time to travel to: a duration from now, an ISO 8601 time, a date, or the next time a market opens or closes. */
export type TravelTime = `+${string}` | MarketChange | (string & {}) | Date

/** The next time at which any market opens or closes. */
export type MarketChange = 'market-open' | 'market-close'

const unitsMs: Readonly<Record<string, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
}
const duration = /^\+\s*(\d{1,9}(?:\.\d{1,3})?)\s*(second|minute|hour|day|week)s?$/
// Without a zone, the time would depend on the machine.
const isoTime = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/**
 * Parses a time to travel to.
 *
 * @returns the time in milliseconds, or the name of a change of a market
 * @throws `svc/invalid-request`
 *
 * @example
 * parseTravelTime('+2 hours', Date.parse('2026-01-01')) // 2026-01-01T02:00:00Z, in milliseconds
 */
export function parseTravelTime(to: unknown, nowMs: number): number | MarketChange {
  if (to === 'market-open' || to === 'market-close') return to
  const [, count, unit] = (typeof to === 'string' && duration.exec(to)) || []
  if (count !== undefined && unit !== undefined) return nowMs + Number(count) * (unitsMs[unit] ?? Number.NaN)
  const timeMs = to instanceof Date ? to.getTime() : typeof to === 'string' && isoTime.test(to) ? Date.parse(to) : NaN
  if (Number.isNaN(timeMs)) throw unreadable(to)
  return timeMs
}

function unreadable(to: unknown): ServiceError {
  const reason = to === undefined ? 'it is missing' : 'it is not a time'
  const forms = "Pass a duration such as '+2 hours', an ISO 8601 time with its zone, 'market-open' or 'market-close'"
  return Errors.invalidRequest({
    field: 'to',
    value: to instanceof Date ? String(to) : to,
    reason: `${reason}. ${forms}`,
  })
}
