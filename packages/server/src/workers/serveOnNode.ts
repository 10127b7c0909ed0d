import cluster from 'node:cluster'
import process from 'node:process'
import { ignoreOutputErrors } from '../cli/command.ts'
import type { Settings } from '../settings/Settings.ts'

/**
 * Serves on Node with the settings of the environment, by one process or by `WORKERS`, until a signal stops this process. If the
 * service cannot start, prints the reason and exits with code 1.
 */
export async function serveOnNode(): Promise<void> {
  // A program that only shows the help of the service does not need these modules.
  const { parseServiceSettings } = await import('../settings/parseServiceSettings.ts')
  const { formatStartError } = await import('../serving/serving.ts')
  ignoreOutputErrors()
  try {
    const settings = parseServiceSettings(process.env)
    if (!cluster.isWorker && settings.workers > 1) await supervise(settings)
    else {
      // The supervisor of several workers serves nothing itself.
      const { startServer } = await import('../serving/startServer.ts')
      if (cluster.isWorker) await (await import('./runWorker.ts')).runWorker(settings, startServer)
      else await (await import('../serving/runServer.ts')).runServer(settings, startServer)
    }
  } catch (error) {
    console.error(formatStartError(error))
    process.exit(1)
  }
}

async function supervise(settings: Settings): Promise<void> {
  const { superviseWorkers } = await import('./superviseWorkers.ts')
  const { toPortVariables } = await import('./choosePorts.ts')
  await superviseWorkers(settings, (ports) => cluster.fork(toPortVariables(ports)).process)
}
