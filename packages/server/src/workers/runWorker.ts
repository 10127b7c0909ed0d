import process from 'node:process'
import { toStopLimitMs } from '../serving/serving.ts'
import { waitUntilReady } from '../serving/readiness.ts'
import type { Settings } from '../settings/Settings.ts'
import type { RunningServer, startServer } from '../serving/startServer.ts'
import { createMetricsShare } from './createMetricsShare.ts'
import { sendHeartbeats } from './heartbeat.ts'
import type { SupervisorMessage, WorkerMessage } from './WorkerMessage.ts'

/**
 * Serves as one of several workers on a shared port. The worker stops when its supervisor requests it or ends, and at
 * SIGTERM. While it starts, it ends at once. A terminal sends Ctrl-C to all processes: only the supervisor acts on it.
 *
 * @param start starts the server of the runtime
 * @throws what `start` throws, and `Error` with the reason if a chain is refused
 */
export async function runWorker(settings: Settings, start: Start): Promise<void> {
  const { shareMetrics, collect, receive } = createMetricsShare(send)
  // During its start, a worker has nothing to finish.
  let stop = (): void => process.exit(0)
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => stop())
  process.on('disconnect', () => stop())
  process.on('message', (message: SupervisorMessage) => {
    if (message.kind === 'stop') stop()
    if (message.kind === 'collect') void collect(message)
    if (message.kind === 'metrics') receive(message)
  })
  // On Deno the event may have occurred before this module was loaded.
  if (!process.connected) stop()
  sendHeartbeats(send)
  const server = await start(toWorkerSettings(settings), { shareMetrics, isPortShared: true })
  let stopping: Promise<never> | undefined
  stop = () => void (stopping ??= exitAfter(server.stop, toStopLimitMs(settings)))
  const readiness = await waitUntilReady(server)
  const { url, adminUrl, chainIds } = server
  send({ kind: 'ready', url, adminUrl, chainIds, readiness })
}

type Start = (
  settings: Settings,
  dependencies: Pick<startServer.Dependencies, 'shareMetrics' | 'isPortShared'>,
) => Promise<Pick<RunningServer, 'url' | 'adminUrl' | 'chainIds' | 'readHealth' | 'findRefusal' | 'stop'>>

/** Sends a message, unless the supervisor has ended. */
function send(message: WorkerMessage): void {
  if (process.connected) process.send?.(message)
}

async function exitAfter(stop: () => Promise<void>, limitMs: number): Promise<never> {
  setTimeout(() => process.exit(1), limitMs)
  await stop()
  process.exit(0)
}

/** Returns the settings of one of several workers, with its share of the service's limits. */
export function toWorkerSettings(settings: Settings): Settings {
  const share = (limit: number) => Math.ceil(limit / settings.workers)
  return {
    ...settings,
    workers: 1,
    maxConnections: share(settings.maxConnections),
    maxConnectionsPerAddress: share(settings.maxConnectionsPerAddress),
    maxRequestsPerAddress: share(settings.maxRequestsPerAddress),
    ...(settings.maxStreams !== undefined && { maxStreams: share(settings.maxStreams) }),
  }
}
