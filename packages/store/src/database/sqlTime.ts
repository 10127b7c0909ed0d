import { sql, type SQL } from 'drizzle-orm'

/**
 * The time of the system, for leases. A local stack in an embedded database can move the result of `now()`, which all
 * other statements use, ahead of it.
 */
export const systemTime = sql.raw('pg_catalog.now()')

/** Returns the time after a number of milliseconds, as SQL. */
export function inMs(ms: number): SQL<Date> {
  return sql<Date>`now() + ${ms} * interval '1 millisecond'`
}

/** Returns the end of a lease that lasts a number of milliseconds, as SQL. */
export function leaseFor(ms: number): SQL<Date> {
  return sql<Date>`${systemTime} + ${ms} * interval '1 millisecond'`
}
