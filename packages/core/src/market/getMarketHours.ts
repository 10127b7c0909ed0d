import { findMarketHours, type MarketHours } from './findMarketHours.ts'
import type { Schedule } from './Schedule.ts'

type Known = { readonly fromSeconds: number; readonly untilSeconds: number; readonly hours: MarketHours }

// The hours of a schedule are the same until they change, and are read with each preview.
const lastHours = new WeakMap<Schedule, Known>()

const secondsPerDay = 86_400

/** Returns the hours of a schedule at a time; those of the last call if they have not changed since. */
function getHours(schedule: Schedule, atSeconds: number): MarketHours {
  const known = lastHours.get(schedule)
  if (known && known.fromSeconds <= atSeconds && atSeconds < known.untilSeconds) return known.hours
  const hours = findMarketHours(schedule, atSeconds)
  // A change of more than a year later is not known yet.
  const untilSeconds = findNextChange(hours) ?? atSeconds + secondsPerDay
  lastHours.set(schedule, { fromSeconds: atSeconds, untilSeconds, hours })
  return hours
}

function findNextChange({ isOpen, nextOpen, nextClose }: MarketHours): number | undefined {
  return isOpen ? nextClose : nextOpen
}

/** Returns whether several markets are open together at a time, in Unix seconds; undefined without any market. */
export function isMarketOpen(schedules: readonly Schedule[], atSeconds: number): boolean | undefined {
  if (schedules.length === 0) return undefined
  return schedules.every((schedule) => getHours(schedule, atSeconds).isOpen)
}

/** Returns the hours at which several markets are open together, at a time in Unix seconds; undefined without any market. */
export function getMarketHours(schedules: readonly Schedule[], atSeconds: number): MarketHours | undefined {
  const isOpen = isMarketOpen(schedules, atSeconds)
  if (isOpen === undefined) return undefined
  const first = findCommonChange(schedules, atSeconds)
  const second = first === undefined ? undefined : findCommonChange(schedules, first)
  return isOpen ? { isOpen, nextClose: first, nextOpen: second } : { isOpen, nextOpen: first, nextClose: second }
}

/** The next time at which markets begin or cease to be open together; undefined if there is none within a year. */
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
