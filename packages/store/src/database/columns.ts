import { sql } from 'drizzle-orm'
import { timestamp } from 'drizzle-orm/pg-core'

/** Returns a column with a time. */
export const time = (name: string) => timestamp(name, { withTimezone: true })

/**
 * Returns a column with the time of the insert. Statements name the time themselves, because a default does not follow a clock
 * that was moved.
 */
export const timeOfInsert = (name: string) =>
  time(name)
    .notNull()
    .defaultNow()
    .$defaultFn(() => sql`now()`)
