// `pnpm serve`: the service on Node, with its settings from the environment.
import cluster from 'node:cluster'
import { ignoreOutputErrors } from './cli/ignoreOutputErrors.ts'
import { readArguments, wantsHelp } from './cli/runOnce.ts'
import { serveUsage } from './cli/serveUsage.ts'
import type { Settings } from './settings/Settings.ts'

if (wantsHelp(readArguments())) {
  console.log(serveUsage)
  process.exit()
}

// Help does not need these modules.
const { readSettings } = await import('./settings/readSettings.ts')
const { formatStartError } = await import('./serving/serving.ts')

ignoreOutputErrors()
try {
  const settings = readSettings(process.env)
  if (!cluster.isWorker && settings.workers > 1) await supervise(settings)
  else {
    // The supervisor of several workers serves nothing itself.
    const { startServer } = await import('./startServer.ts')
    if (cluster.isWorker) await (await import('./runWorker.ts')).runWorker(settings, startServer)
    else await (await import('./runServer.ts')).runServer(settings, startServer)
  }
} catch (error) {
  console.error(formatStartError(error))
  process.exit(1)
}

async function supervise(settings: Settings): Promise<void> {
  const { superviseWorkers } = await import('./superviseWorkers.ts')
  const { toPortVariables } = await import('./workers/choosePorts.ts')
  await superviseWorkers(settings, (ports) => cluster.fork(toPortVariables(ports)).process)
}
