import type { Database } from './Database.ts'
import { openEmbedded } from './openEmbedded.ts'
import { openPostgres } from './openPostgres.ts'

/**
 * Opens the database and brings its schema up to date.
 *
 * @param location a PostgreSQL URL, or the folder of an embedded database
 * @throws `Error` in one sentence if it cannot be reached, or if another process owns the folder
 */
export async function openDatabase(location: openDatabase.Location): Promise<Database> {
  return 'url' in location ? await openPostgres(location.url) : await openEmbedded(location.folder)
}

export declare namespace openDatabase {
  type Location = { readonly url: string } | { readonly folder: string }
}
