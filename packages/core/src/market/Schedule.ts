/**
 * The weekly hours of a market in its own time zone, with exceptions. An example of Pyth's text for a schedule is
 * `America/New_York;O,O,O,O,0000-1700,C,1700-2400;1225/C`.
 */
export type Schedule = {
  /** The name of a zone in the tz database. */
  readonly timeZone: string
  /** From Monday to Sunday. */
  readonly week: readonly Session[]
  /** The sessions of single days that recur every year, by month and day: `1225`. */
  readonly exceptions: ReadonlyMap<string, Session>
}

/**
 * The times of a day at which a market is open, in order. A range starts at `start` and ends before `end`, in minutes
 * after midnight on the clock.
 */
export type Session = readonly TimeRange[]

type TimeRange = { readonly start: number; readonly end: number }

/**
 * Parses the text of a schedule.
 *
 * @throws `Error` that names the invalid part
 *
 * @example
 * Schedule.parse('America/New_York;O,O,O,O,0000-1700,C,1700-2400;1225/C').timeZone // 'America/New_York'
 */
export function parse(text: string): Schedule {
  const [timeZone = '', week = '', exceptions = '', ...more] = text.split(';')
  if (more.length > 0) throw new Error(`Cannot read schedule '${text}': it has more than three parts`)
  if (!isTimeZone(timeZone)) throw new Error(`Cannot read schedule '${text}': '${timeZone}' is not a time zone`)
  const days = week.split(',').map(parseSession)
  if (days.length !== 7) throw new Error(`Cannot read schedule '${text}': its week has ${days.length} days, not 7`)
  return { timeZone, week: days, exceptions: parseExceptions(exceptions) }
}

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '' && timeZone !== ''
  } catch {
    return false
  }
}

const minutesPerDay = 1440

/** The session of a day on which a market stays open. */
export const wholeDay: Session = [{ start: 0, end: minutesPerDay }]

/** Parses `O` for open, `C` for closed, or ranges such as `0930-1200&1300-1600`. */
function parseSession(text: string): Session {
  if (text === 'O') return wholeDay
  if (text === 'C') return []
  const ranges = text.split('&').map(parseRange)
  for (const [index, { start, end }] of ranges.entries()) {
    if (start >= end) throw new Error(`Cannot read session '${text}': it ends before it starts`)
    if (start < (ranges[index - 1]?.end ?? 0)) throw new Error(`Cannot read session '${text}': its ranges overlap`)
  }
  return ranges
}

function parseRange(text: string): TimeRange {
  const [, start, end] = /^(\d{4})-(\d{4})$/.exec(text) ?? []
  if (start === undefined || end === undefined) {
    throw new Error(`Cannot read session '${text}': use O, C or HHMM-HHMM`)
  }
  return { start: parseTime(start), end: parseTime(end) }
}

function parseTime(text: string): number {
  const [hours, minutes] = [Number(text.slice(0, 2)), Number(text.slice(2))]
  const time = hours * 60 + minutes
  if (minutes > 59 || time > minutesPerDay) throw new Error(`Cannot read time '${text}': use 0000 to 2400`)
  return time
}

function parseExceptions(text: string): ReadonlyMap<string, Session> {
  const entries = text === '' ? [] : text.split(',')
  return new Map(
    entries.map((entry) => {
      const [day = '', session = '', ...more] = entry.split('/')
      if (more.length > 0 || !isDay(day)) throw new Error(`Cannot read exception '${entry}': it is not MMDD/session`)
      return [day, parseSession(session)]
    }),
  )
}

function isDay(text: string): boolean {
  if (!/^\d{4}$/.test(text)) return false
  const [month, day] = [Number(text.slice(0, 2)), Number(text.slice(2))]
  // 2024 is a leap year, so it has every day.
  const date = new Date(Date.UTC(2024, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}
