import { sql } from 'drizzle-orm'
import { customType } from 'drizzle-orm/pg-core'

/**
 * Returns a column with a time. A time in another form than ISO 8601 cannot be read: a database that writes the day before the month
 * would change the expiry of a key.
 */
export const time = customType<{ data: Date; driverData: string }>({
  dataType: () => 'timestamp with time zone',
  toDriver: (value) => value.toISOString(),
  fromDriver: parseTime,
})

/** Parses a time as PostgreSQL writes it. @throws `Error` if it is in another form than ISO 8601 with a time zone */
export function parseTime(text: string): Date {
  const parsed = isoTime.test(text) ? new Date(text) : new Date(NaN)
  if (!Number.isNaN(parsed.getTime())) return parsed
  throw new Error('Cannot read a time of the database: its form is not ISO 8601. Set DateStyle to ISO')
}

const isoTime = /^\d{4,6}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(?:\.\d+)?[+-]\d{2}(?::\d{2})?$/

/**
 * Returns a column with the time of the insert. Statements name the time themselves, because a default does not follow a clock
 * that was moved.
 */
export const timeOfInsert = (name: string) =>
  time(name)
    .notNull()
    .default(sql`now()`)
    .$defaultFn(() => sql`now()`)
