// Serves on Node, from the environment: `pnpm serve`.
import { describeStartError } from './describeStartError.ts'
import { readSettings } from './readSettings.ts'
import { startServer } from './startServer.ts'

try {
  const server = await startServer(readSettings(process.env))
  console.log(`ready on ${server.url}`)
  const stop = () => void server.stop()
  process.once('SIGINT', stop).once('SIGTERM', stop)
} catch (error) {
  console.error(describeStartError(error, process.env))
  process.exitCode = 1
}
