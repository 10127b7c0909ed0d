import { Client } from 'pg'

/**
 * The settings of each session. They make PostgreSQL write times in one form, whatever the settings of the database and the role
 * are. PgBouncer accepts them in the startup message and restores them with each change of the server connection. A `set` would
 * apply to the connection of another client.
 */
const sessionSettings = { DateStyle: 'ISO, MDY', TimeZone: 'UTC', standard_conforming_strings: 'on' }

/** A client of PostgreSQL whose sessions do not depend on the settings of the database and the role. */
export class PostgresClient extends Client {
  /** Returns the parameters of the startup message; called by `pg`. */
  getStartupConf(): Record<string, string> {
    const { getStartupConf } = Client.prototype as unknown as Pick<PostgresClient, 'getStartupConf'>
    return { ...getStartupConf.call(this), ...sessionSettings }
  }
}
