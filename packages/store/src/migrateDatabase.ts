/**
 * Migrates the schema of a PostgreSQL database, for a role that may change tables.
 *
 * @param url the PostgreSQL URL
 * @param options what to call while it waits
 * @throws `Error` with a message that contains neither the URL nor its password
 */
export async function migrateDatabase(
  url: string,
  options: { readonly onWait: (reason: string) => void },
): Promise<void> {
  const { migrateUrl } = await import('./database/openPostgres.ts')
  await migrateUrl(url, options)
}
