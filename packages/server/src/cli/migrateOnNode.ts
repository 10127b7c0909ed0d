import process from 'node:process'
import { formatStartError } from '../serving/serving.ts'

/** Migrates the schema of the database at `DATABASE_URL`. If it cannot, prints the reason and sets exit code 1. */
export async function migrateOnNode(): Promise<void> {
  const { parseServiceSettings } = await import('../settings/parseServiceSettings.ts')
  const { migrateDatabase } = await import('@agio/store')
  try {
    const { databaseUrl } = parseServiceSettings(process.env)
    if (databaseUrl === undefined)
      throw new Error('Cannot migrate: set DATABASE_URL. An embedded database migrates itself')
    await migrateDatabase(databaseUrl, { onWait: (reason) => console.log(`migrating: ${reason}`) })
    console.log('The schema is current')
  } catch (error) {
    console.error(formatStartError(error))
    process.exitCode = 1
  }
}
