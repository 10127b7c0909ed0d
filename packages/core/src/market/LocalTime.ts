/** A day in the local time of a zone. */
export type LocalDate = {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
}

/** A time of day in the local time of a zone. */
export type LocalTime = LocalDate & {
  /** Minutes since midnight on the clock. */
  readonly minute: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

function getFormat(timeZone: string): Intl.DateTimeFormat {
  const cached = formats.get(timeZone)
  if (cached) return cached
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
  const format = new Intl.DateTimeFormat('en-US', { timeZone, calendar: 'gregory', hourCycle: 'h23', ...numeric })
  formats.set(timeZone, format)
  return format
}

/** Returns the local time of a zone at a time in Unix seconds. */
export function at(timeZone: string, atSeconds: number): LocalTime {
  const parts = getFormat(timeZone).formatToParts(atSeconds * 1000)
  const toNumber = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value)
  return {
    year: toNumber('year'),
    month: toNumber('month'),
    day: toNumber('day'),
    minute: toNumber('hour') * 60 + toNumber('minute'),
  }
}

/**
 * Returns the times, in Unix seconds, at which the clock of a zone shows a local time. In most cases there is one.
 * There are two if the clock is set back over the local time, and none if it is set forward over it.
 */
export function listInstants(timeZone: string, local: LocalTime): readonly number[] {
  const asUtc = toUtcSeconds(local)
  // The offsets before and after any change of the clock on that day.
  const offsets = new Set([-86_400, 86_400].map((distance) => getOffset(timeZone, asUtc + distance)))
  const instants = [...offsets].map((offset) => asUtc - offset)
  return instants.filter((instant) => toUtcSeconds(at(timeZone, instant)) === asUtc).toSorted((a, b) => a - b)
}

/** Returns the start of a day in a zone, in Unix seconds, even if the clock is set forward at midnight. */
export function getDayStart(timeZone: string, date: LocalDate): number {
  const midnight = { ...date, minute: 0 }
  const asUtc = toUtcSeconds(midnight)
  return listInstants(timeZone, midnight)[0] ?? asUtc - getOffset(timeZone, asUtc - 86_400)
}

/** Returns how many seconds the clock of a zone is ahead of UTC at a time. */
export function getOffset(timeZone: string, atSeconds: number): number {
  const wholeMinutes = atSeconds - (((atSeconds % 60) + 60) % 60)
  return toUtcSeconds(at(timeZone, wholeMinutes)) - wholeMinutes
}

function toUtcSeconds({ year, month, day, minute }: LocalTime): number {
  return Date.UTC(year, month - 1, day, 0, minute) / 1000
}
