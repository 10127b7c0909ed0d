import * as LocalTime from './LocalTime.ts'
import * as Schedule from './Schedule.ts'

/** Whether a market is open, and when that changes next, in Unix seconds. */
export type Hours = {
  readonly isOpen: boolean
  /** The next time at which it opens after being closed; undefined if it does not within a year. */
  readonly nextOpen: number | undefined
  /** The next time at which it closes; undefined if it does not within a year. */
  readonly nextClose: number | undefined
}

type Cached = { readonly fromSeconds: number; readonly untilSeconds: number; readonly hours: Hours }

// Every preview reads the hours of a schedule, and they stay the same until they change.
const lastHours = new WeakMap<Schedule.Schedule, Cached>()

const secondsPerDay = 86_400

const searchedDays = 366

/** Returns the hours of a schedule at a time. Returns the hours of the last call if they have not changed since. */
function cachedHoursOf(schedule: Schedule.Schedule, atSeconds: number): Hours {
  const cached = lastHours.get(schedule)
  if (cached && cached.fromSeconds <= atSeconds && atSeconds < cached.untilSeconds) return cached.hours
  const hours = hoursOf(schedule, atSeconds)
  // The search does not find a change that is more than a year away, so it is repeated after a day.
  const untilSeconds = findNextChange(hours) ?? atSeconds + secondsPerDay
  lastHours.set(schedule, { fromSeconds: atSeconds, untilSeconds, hours })
  return hours
}

function findNextChange({ isOpen, nextOpen, nextClose }: Hours): number | undefined {
  return isOpen ? nextClose : nextOpen
}

/** Returns whether several markets are all open at a time in Unix seconds; undefined if there are no markets. */
export function areOpen(schedules: readonly Schedule.Schedule[], atSeconds: number): boolean | undefined {
  if (schedules.length === 0) return undefined
  return schedules.every((schedule) => cachedHoursOf(schedule, atSeconds).isOpen)
}

/**
 * Returns the hours during which several markets are all open, at a time in Unix seconds; undefined if there are no
 * markets.
 */
export function findHours(schedules: readonly Schedule.Schedule[], atSeconds: number): Hours | undefined {
  const isOpen = areOpen(schedules, atSeconds)
  if (isOpen === undefined) return undefined
  const first = findCommonChange(schedules, atSeconds)
  const second = first === undefined ? undefined : findCommonChange(schedules, first)
  return isOpen ? { isOpen, nextClose: first, nextOpen: second } : { isOpen, nextOpen: first, nextClose: second }
}

/**
 * Returns the next time at which all markets become open, or stop being all open; undefined without such a time within
 * a year.
 */
function findCommonChange(schedules: readonly Schedule.Schedule[], afterSeconds: number): number | undefined {
  const isOpen = areOpen(schedules, afterSeconds)
  let at = afterSeconds
  while (at <= afterSeconds + searchedDays * secondsPerDay) {
    const changes = schedules.map((schedule) => findNextChange(cachedHoursOf(schedule, at)) ?? Infinity)
    at = Math.min(...changes)
    if (at === Infinity) return undefined
    if (areOpen(schedules, at) !== isOpen) return at
  }
  return undefined
}

/**
 * Returns the hours of a market at a time in Unix seconds. The market is open if its local time is within a session.
 */
export function hoursOf(schedule: Schedule.Schedule, atSeconds: number): Hours {
  const isOpen = isOpenAt(schedule, atSeconds)
  if (isConstant(schedule)) return { isOpen, nextOpen: undefined, nextClose: undefined }
  const changes = findChanges(schedule, atSeconds, isOpen)
  const first = changes.next().value
  const second = first === undefined ? undefined : changes.next().value
  return isOpen ? { isOpen, nextClose: first, nextOpen: second } : { isOpen, nextOpen: first, nextClose: second }
}

/** Returns whether a market is open on all days, or closed on all days. */
function isConstant({ week, exceptions }: Schedule.Schedule): boolean {
  const sessions = [...week, ...exceptions.values()].map((session) => JSON.stringify(session))
  return new Set(sessions).size === 1 && ['[]', JSON.stringify(Schedule.wholeDay)].includes(sessions[0] ?? '')
}

function isOpenAt(schedule: Schedule.Schedule, atSeconds: number): boolean {
  const local = LocalTime.at(schedule.timeZone, atSeconds)
  return getSession(schedule, local).some(({ start, end }) => start <= local.minute && local.minute < end)
}

/** Yields the times after a given time at which a market opens or closes, in order. */
function* findChanges(
  schedule: Schedule.Schedule,
  afterSeconds: number,
  isOpenBefore: boolean,
): Generator<number, undefined> {
  const today = LocalTime.at(schedule.timeZone, afterSeconds)
  let isOpen = isOpenBefore
  for (let days = 0; days <= searchedDays; days += 1) {
    for (const candidate of listCandidates(schedule, addDays(today, days))) {
      if (candidate <= afterSeconds || isOpenAt(schedule, candidate) === isOpen) continue
      isOpen = !isOpen
      yield candidate
    }
  }
  return undefined
}

/**
 * Lists the times of a local day at which a market may open or close, in order: the bounds of its sessions, and a
 * change of its clock.
 */
function listCandidates(schedule: Schedule.Schedule, date: LocalTime.LocalDate): readonly number[] {
  const { timeZone } = schedule
  const [start, end] = [LocalTime.getDayStart(timeZone, date), LocalTime.getDayStart(timeZone, addDays(date, 1))]
  const minutes = getSession(schedule, date).flatMap((range) => [range.start, range.end])
  const bounds = minutes.flatMap((minute) => LocalTime.listInstants(timeZone, { ...date, minute }))
  const change = findClockChange(timeZone, start, end)
  const candidates = new Set([start, ...bounds, ...(change === undefined ? [] : [change])])
  return [...candidates].filter((candidate) => candidate >= start && candidate < end).toSorted((a, b) => a - b)
}

function addDays({ year, month, day }: LocalTime.LocalDate, days: number): LocalTime.LocalDate {
  const date = new Date(Date.UTC(year, month - 1, day + days))
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

function getSession(
  { week, exceptions }: Schedule.Schedule,
  { year, month, day }: LocalTime.LocalDate,
): Schedule.Session {
  const weekday = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7
  const key = `${month}`.padStart(2, '0') + `${day}`.padStart(2, '0')
  return exceptions.get(key) ?? week[weekday] ?? []
}

/**
 * Returns the time from which the clock of a zone has another offset than at the start of a day; undefined if its
 * offset stays the same.
 */
function findClockChange(timeZone: string, start: number, end: number): number | undefined {
  const offset = LocalTime.getOffset(timeZone, start)
  if (LocalTime.getOffset(timeZone, end) === offset) return undefined
  let [before, after] = [start / 60, end / 60]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (LocalTime.getOffset(timeZone, middle * 60) === offset) before = middle
    else after = middle
  }
  return after * 60
}
