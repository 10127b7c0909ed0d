import { stopOnSignal } from '../cli/command.ts'
import { waitUntilReady } from './readiness.ts'
import { formatConsole, formatNetworks, formatOperators, toStopLimitMs } from './serving.ts'
import type { Settings } from '../settings/Settings.ts'
import type { RunningServer } from './startServer.ts'

/**
 * Serves in this process until a signal stops it. Prints the networks, the URL of the console, and a line when the
 * service is ready.
 *
 * @param start starts the server of the runtime
 * @throws what `start` throws, and `Error` with the reason if a chain is refused
 */
export async function runServer(settings: Settings, start: Start): Promise<void> {
  const server = await start(settings)
  const signal = stopOnSignal(server.stop, toStopLimitMs(settings))
  server.print(formatNetworks(server.chainIds))
  const consoleLine = formatConsole(server.url, settings.consoleDir)
  if (consoleLine !== undefined) server.print(consoleLine)
  if (server.adminUrl !== undefined) server.print(formatOperators(server.adminUrl))
  const readiness = await waitUntilReady(server, signal)
  if (!signal.aborted) server.print(`${readiness} on ${server.url}`)
}

type Start = (
  settings: Settings,
) => Promise<Pick<RunningServer, 'url' | 'adminUrl' | 'chainIds' | 'readHealth' | 'findRefusal' | 'print' | 'stop'>>
