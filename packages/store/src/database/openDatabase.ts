import { unobserved, type Database, type ObserveQuery } from './Database.ts'
import type { migratePostgres } from './migratePostgres.ts'

/**
 * Opens the database and migrates its schema.
 *
 * @param location a PostgreSQL URL, or the folder of an embedded database
 * @param options how to migrate a PostgreSQL database, which other processes may use, and how to observe its statements
 * @throws `Error` if the database cannot be reached, or if another process has the folder open
 */
export async function openDatabase(
  location: openDatabase.Location,
  { observe = unobserved, ...options }: openDatabase.Options = {},
): Promise<Database> {
  // Loads only the driver that this process needs.
  if ('url' in location) return await (await import('./openPostgres.ts')).openPostgres(location.url, options, observe)
  return await (await import('./openEmbedded.ts')).openEmbedded(location.folder, observe)
}

/**
 * Migrates the schema of a PostgreSQL database, for a role that may change tables.
 *
 * @param url the PostgreSQL URL
 * @param options what to call while it waits
 * @throws `Error` with a message that contains neither the URL nor its password
 */
export async function migrateDatabase(url: string, options: Pick<migratePostgres.Options, 'onWait'>): Promise<void> {
  await (await import('./openPostgres.ts')).migrateUrl(url, options)
}

export declare namespace openDatabase {
  type Location = { readonly url: string } | { readonly folder: string }
  type Options = migratePostgres.Options & {
    /** Observes each statement and each transaction. Default: none. */
    readonly observe?: ObserveQuery | undefined
  }
}
