// Serves on Node, from the environment: `pnpm serve`.
import { readSettings } from './readSettings.ts'
import { startServer } from './startServer.ts'

try {
  const server = await startServer(readSettings(process.env))
  console.log(`ready on ${server.url}`)
  const stop = () => void server.stop()
  process.once('SIGINT', stop).once('SIGTERM', stop)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
