// `pnpm serve`: the service on Node, with its settings from the environment.
import cluster from 'node:cluster'
import { ignoreOutputErrors } from './cli/command.ts'
import { parseArguments, wantsHelp } from './cli/command.ts'
import { serveUsage } from './cli/serveUsage.ts'
import type { Settings } from './settings/Settings.ts'

if (wantsHelp(parseArguments())) {
  console.log(serveUsage)
  process.exit()
}

// Help does not need these modules.
const { parseServiceSettings } = await import('./settings/parseServiceSettings.ts')
const { formatStartError } = await import('./serving/serving.ts')

ignoreOutputErrors()
try {
  const settings = parseServiceSettings(process.env)
  if (!cluster.isWorker && settings.workers > 1) await supervise(settings)
  else {
    // The supervisor of several workers serves nothing itself.
    const { startServer } = await import('./serving/startServer.ts')
    if (cluster.isWorker) await (await import('./workers/runWorker.ts')).runWorker(settings, startServer)
    else await (await import('./serving/runServer.ts')).runServer(settings, startServer)
  }
} catch (error) {
  console.error(formatStartError(error))
  process.exit(1)
}

async function supervise(settings: Settings): Promise<void> {
  const { superviseWorkers } = await import('./workers/superviseWorkers.ts')
  const { toPortVariables } = await import('./workers/choosePorts.ts')
  await superviseWorkers(settings, (ports) => cluster.fork(toPortVariables(ports)).process)
}
