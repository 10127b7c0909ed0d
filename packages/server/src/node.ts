// `pnpm serve`: the service on Node, with its settings from the environment.
import { ignoreOutputErrors } from './cli/ignoreOutputErrors.ts'
import { readArguments, wantsHelp } from './cli/runOnce.ts'
import { serveUsage } from './cli/serveUsage.ts'
import { stopOnSignal } from './cli/stopOnSignal.ts'

if (wantsHelp(readArguments())) {
  console.log(serveUsage)
  process.exit()
}

// Help needs none of these.
const { readSettings } = await import('./readSettings.ts')
const { formatReadiness, waitUntilHealthy } = await import('./serving/readiness.ts')
const { formatConsole, formatNetworks, formatStartError, toStopLimitMs } = await import('./serving/serving.ts')
const { startServer } = await import('./startServer.ts')

ignoreOutputErrors()
try {
  const settings = readSettings(process.env)
  const server = await startServer(settings)
  const signal = stopOnSignal(server.stop, toStopLimitMs(settings))
  server.print(formatNetworks(server.chainIds))
  const consoleLine = formatConsole(server.url, settings.consoleDir)
  if (consoleLine !== undefined) server.print(consoleLine)
  const health = await waitUntilHealthy(server.readHealth, { timeoutMs: 5000, signal })
  if (!signal.aborted) server.print(`${formatReadiness(health)} on ${server.url}`)
} catch (error) {
  console.error(formatStartError(error))
  process.exit(1)
}
