// `pnpm serve`: the service on Node, with its settings from the environment.
import cluster from 'node:cluster'
import { ignoreOutputErrors } from './cli/ignoreOutputErrors.ts'
import { readArguments, wantsHelp } from './cli/runOnce.ts'
import { serveUsage } from './cli/serveUsage.ts'
import { stopOnSignal } from './cli/stopOnSignal.ts'
import type { Settings } from './Settings.ts'

if (wantsHelp(readArguments())) {
  console.log(serveUsage)
  process.exit()
}

// Help needs none of these.
const { readSettings } = await import('./readSettings.ts')
const { formatConsole, formatNetworks, formatStartError, toStopLimitMs } = await import('./serving/serving.ts')

ignoreOutputErrors()
try {
  const settings = readSettings(process.env)
  if (cluster.isWorker) await (await import('./runWorker.ts')).runWorker(settings)
  else if ((settings.workers ?? 1) > 1) await (await import('./superviseWorkers.ts')).superviseWorkers(settings)
  else await serve(settings)
} catch (error) {
  console.error(formatStartError(error))
  process.exit(1)
}

async function serve(settings: Settings): Promise<void> {
  // The supervisor of several workers serves nothing itself.
  const { formatReadiness, waitUntilHealthy } = await import('./serving/readiness.ts')
  const { startServer } = await import('./startServer.ts')
  const server = await startServer(settings)
  const signal = stopOnSignal(server.stop, toStopLimitMs(settings))
  server.print(formatNetworks(server.chainIds))
  const consoleLine = formatConsole(server.url, settings.consoleDir)
  if (consoleLine !== undefined) server.print(consoleLine)
  const health = await waitUntilHealthy(server.readHealth, { timeoutMs: 5000, signal })
  if (!signal.aborted) server.print(`${formatReadiness(health)} on ${server.url}`)
}
