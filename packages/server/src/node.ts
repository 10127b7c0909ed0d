// `pnpm serve`: the service on Node, with its settings from the environment.
import { ignoreOutputErrors } from './cli/ignoreOutputErrors.ts'
import { readArguments, wantsHelp } from './cli/runOnce.ts'
import { serveUsage } from './cli/serveUsage.ts'
import { stopOnSignal } from './cli/stopOnSignal.ts'
import { formatReadiness, waitUntilHealthy } from './serving/readiness.ts'
import { readSettings } from './readSettings.ts'
import { formatNetworks, formatStartError, toStopLimitMs } from './serving/serving.ts'
import { startServer } from './startServer.ts'

if (wantsHelp(readArguments())) {
  console.log(serveUsage)
  process.exit()
}

ignoreOutputErrors()
try {
  const settings = readSettings(process.env)
  const server = await startServer(settings)
  const signal = stopOnSignal(server.stop, toStopLimitMs(settings))
  server.print(formatNetworks(server.chainIds))
  const health = await waitUntilHealthy(server.readHealth, { timeoutMs: 5000, signal })
  if (!signal.aborted) server.print(`${formatReadiness(health)} on ${server.url}`)
} catch (error) {
  console.error(formatStartError(error))
  process.exit(1)
}
