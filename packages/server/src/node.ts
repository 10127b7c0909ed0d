// `pnpm serve`: the service on Node, with its settings from the environment.
import { readArguments, wantsHelp } from './cli/runOnce.ts'
import { serveUsage } from './cli/serveUsage.ts'
import { formatReadiness, waitUntilHealthy } from './serving/readiness.ts'
import { readSettings } from './readSettings.ts'
import { formatNetworks, formatStartError } from './serving/serving.ts'
import { startServer } from './startServer.ts'

if (wantsHelp(readArguments())) {
  console.log(serveUsage)
  process.exit()
}

try {
  const server = await startServer(readSettings(process.env))
  const stopping = new AbortController()
  const stop = () => {
    stopping.abort()
    void server.stop()
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  console.log(formatNetworks(server.chainIds))
  const health = await waitUntilHealthy(server.readHealth, { timeoutMs: 5000, signal: stopping.signal })
  if (!stopping.signal.aborted) console.log(`${formatReadiness(health)} on ${server.url}`)
} catch (error) {
  console.error(formatStartError(error))
  process.exitCode = 1
}
