import type { Database } from './Database.ts'
import { openEmbedded } from './openEmbedded.ts'
import { openPostgres } from './openPostgres.ts'

/**
 * Opens the database and migrates its schema.
 *
 * @param location a PostgreSQL URL, or the folder of an embedded database
 * @throws `Error` if it cannot be reached, or if another process has the folder open
 */
export async function openDatabase(location: openDatabase.Location): Promise<Database> {
  return 'url' in location ? await openPostgres(location.url) : await openEmbedded(location.folder)
}

export declare namespace openDatabase {
  type Location = { readonly url: string } | { readonly folder: string }
}
