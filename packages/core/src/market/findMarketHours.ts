import { findDayStart, findOffset, listInstants, toLocalTime, type LocalDate } from './LocalTime.ts'
import { wholeDay, type Schedule, type Session } from './Schedule.ts'

/** Whether a market is open, and when that changes next, in Unix seconds. */
export type MarketHours = {
  readonly isOpen: boolean
  /** The next time at which it opens after being closed; undefined if it does not within a year. */
  readonly nextOpen: number | undefined
  /** The next time at which it closes; undefined if it does not within a year. */
  readonly nextClose: number | undefined
}

/**
 * Returns the hours of a market at a time in Unix seconds. The market is open if its local time is within a session.
 */
export function findMarketHours(schedule: Schedule, atSeconds: number): MarketHours {
  const isOpen = isOpenAt(schedule, atSeconds)
  if (isConstant(schedule)) return { isOpen, nextOpen: undefined, nextClose: undefined }
  const changes = findChanges(schedule, atSeconds, isOpen)
  const first = changes.next().value
  const second = first === undefined ? undefined : changes.next().value
  return isOpen ? { isOpen, nextClose: first, nextOpen: second } : { isOpen, nextOpen: first, nextClose: second }
}

/** Returns whether a market is open on all days, or closed on all days. */
function isConstant({ week, exceptions }: Schedule): boolean {
  const sessions = [...week, ...exceptions.values()].map((session) => JSON.stringify(session))
  return new Set(sessions).size === 1 && ['[]', JSON.stringify(wholeDay)].includes(sessions[0] ?? '')
}

function isOpenAt(schedule: Schedule, atSeconds: number): boolean {
  const local = toLocalTime(schedule.timeZone, atSeconds)
  return getSession(schedule, local).some(({ start, end }) => start <= local.minute && local.minute < end)
}

const searchedDays = 366

/** Yields the times after a given time at which a market opens or closes, in order. */
function* findChanges(schedule: Schedule, afterSeconds: number, isOpenBefore: boolean): Generator<number, undefined> {
  const today = toLocalTime(schedule.timeZone, afterSeconds)
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
function listCandidates(schedule: Schedule, date: LocalDate): readonly number[] {
  const { timeZone } = schedule
  const [start, end] = [findDayStart(timeZone, date), findDayStart(timeZone, addDays(date, 1))]
  const minutes = getSession(schedule, date).flatMap((range) => [range.start, range.end])
  const bounds = minutes.flatMap((minute) => listInstants(timeZone, { ...date, minute }))
  const change = findClockChange(timeZone, start, end)
  const candidates = new Set([start, ...bounds, ...(change === undefined ? [] : [change])])
  return [...candidates].filter((each) => each >= start && each < end).toSorted((a, b) => a - b)
}

function addDays({ year, month, day }: LocalDate, days: number): LocalDate {
  const date = new Date(Date.UTC(year, month - 1, day + days))
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

function getSession({ week, exceptions }: Schedule, { year, month, day }: LocalDate): Session {
  const weekday = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7
  const key = `${month}`.padStart(2, '0') + `${day}`.padStart(2, '0')
  return exceptions.get(key) ?? week[weekday] ?? []
}

/**
 * Returns the time from which the clock of a zone has another offset than at the start of a day; undefined if its
 * offset stays the same.
 */
function findClockChange(timeZone: string, start: number, end: number): number | undefined {
  const offset = findOffset(timeZone, start)
  if (findOffset(timeZone, end) === offset) return undefined
  let [before, after] = [start / 60, end / 60]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (findOffset(timeZone, middle * 60) === offset) before = middle
    else after = middle
  }
  return after * 60
}
