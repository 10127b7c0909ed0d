import process from 'node:process'
import { ignoreOutputErrors } from '../cli/command.ts'

/**
 * Serves on Node with the settings of the environment until a signal stops this process. If the service cannot start, prints the
 * reason and exits with code 1.
 */
export async function serveOnNode(): Promise<void> {
  // A program that only shows the help of the service does not need these modules.
  const { parseServiceSettings } = await import('../settings/parseServiceSettings.ts')
  const { formatStartError } = await import('./serving.ts')
  ignoreOutputErrors()
  try {
    const settings = parseServiceSettings(process.env)
    const { startServer } = await import('./startServer.ts')
    const { runServer } = await import('./runServer.ts')
    await runServer(settings, startServer)
  } catch (error) {
    console.error(formatStartError(error))
    process.exit(1)
  }
}

/** Migrates the schema of the database at `DATABASE_URL`. If it cannot, prints the reason and sets exit code 1. */
export async function migrateOnNode(): Promise<void> {
  const { parseServiceSettings } = await import('../settings/parseServiceSettings.ts')
  const { formatStartError } = await import('./serving.ts')
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
