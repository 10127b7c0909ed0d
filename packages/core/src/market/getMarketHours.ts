import { findMarketHours, type MarketHours } from './findMarketHours.ts'
import type { Schedule } from './Schedule.ts'

type Known = { readonly fromSeconds: number; readonly untilSeconds: number; readonly hours: MarketHours }

// Every preview reads the hours of a schedule, and they stay the same until they change.
const lastHours = new WeakMap<Schedule, Known>()

const secondsPerDay = 86_400

/** Returns the hours of a schedule at a time. Returns the hours of the last call if they have not changed since. */
function getHours(schedule: Schedule, atSeconds: number): MarketHours {
  const known = lastHours.get(schedule)
  if (known && known.fromSeconds <= atSeconds && atSeconds < known.untilSeconds) return known.hours
  const hours = findMarketHours(schedule, atSeconds)
  // A change that is more than a year away is not known yet.
  const untilSeconds = findNextChange(hours) ?? atSeconds + secondsPerDay
  lastHours.set(schedule, { fromSeconds: atSeconds, untilSeconds, hours })
  return hours
}

function findNextChange({ isOpen, nextOpen, nextClose }: MarketHours): number | undefined {
  return isOpen ? nextClose : nextOpen
}

/** Returns whether several markets are all open at a time in Unix seconds; undefined if there are no markets. */
export function isMarketOpen(schedules: readonly Schedule[], atSeconds: number): boolean | undefined {
  if (schedules.length === 0) return undefined
  return schedules.every((schedule) => getHours(schedule, atSeconds).isOpen)
}

/**
 * Returns the hours during which several markets are all open, at a time in Unix seconds; undefined if there are no
 * markets.
 */
export function getMarketHours(schedules: readonly Schedule[], atSeconds: number): MarketHours | undefined {
  const isOpen = isMarketOpen(schedules, atSeconds)
  if (isOpen === undefined) return undefined
  const first = findCommonChange(schedules, atSeconds)
  const second = first === undefined ? undefined : findCommonChange(schedules, first)
  return isOpen ? { isOpen, nextClose: first, nextOpen: second } : { isOpen, nextOpen: first, nextClose: second }
}

/**
 * Returns the next time at which all markets become open, or stop being all open; undefined without such a time within
 * a year.
 */
function findCommonChange(schedules: readonly Schedule[], afterSeconds: number): number | undefined {
  const isOpen = isMarketOpen(schedules, afterSeconds)
  let at = afterSeconds
  while (at <= afterSeconds + 366 * secondsPerDay) {
    const changes = schedules.map((schedule) => findNextChange(getHours(schedule, at)) ?? Infinity)
    at = Math.min(...changes)
    if (at === Infinity) return undefined
    if (isMarketOpen(schedules, at) !== isOpen) return at
  }
  return undefined
}
