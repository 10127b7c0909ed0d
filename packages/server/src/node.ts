// Serves on Node, from the environment: `pnpm serve`.
import { formatReadiness, waitUntilHealthy } from './readiness.ts'
import { readSettings } from './readSettings.ts'
import { startServer } from './startServer.ts'

try {
  const server = await startServer(readSettings(process.env))
  const stopping = new AbortController()
  const stop = () => {
    stopping.abort()
    void server.stop()
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const health = await waitUntilHealthy(server.readHealth, { timeoutMs: 5000, signal: stopping.signal })
  if (!stopping.signal.aborted) console.log(`${formatReadiness(health)} on ${server.url}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
