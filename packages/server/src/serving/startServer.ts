import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerWhileStarting, type Health } from '@agio/api'
import type { Network } from '@agio/core'
import { Agent, fetch as undiciFetch } from 'undici'
import { createSocketOpener } from './createSocketOpener.ts'
import { createService, type Service } from '../service/createService.ts'
import { createHttpServer } from '../http/createHttpServer.ts'
import { nodeOutput } from '../log/nodeOutput.ts'
import { formatStartError, listAddresses, metricsShutdownTimeoutMs, shutdownTimeoutMs, toUrl } from './serving.ts'
import type { Settings } from '../settings/Settings.ts'

/**
 * Starts the service on Node, with its own connection pool to the upstream nodes.
 *
 * @throws `Error` if a port is taken, if no network has a deployment file, if a file is wrong, or if the database
 * cannot be opened
 */
export async function startServer(
  settings: Settings,
  dependencies: startServer.Dependencies = {},
): Promise<RunningServer> {
  const dispatcher = new Agent({ connections: 64 })
  const fetch = ((input: string, init: object) =>
    undiciFetch(input, { ...init, dispatcher })) as unknown as typeof globalThis.fetch
  await using starting = new AsyncDisposableStack()
  starting.defer(() => dispatcher.close())
  const { openSocket, destroyAll } = createSocketOpener()
  starting.defer(destroyAll)
  const { host, port, metricsPort, adminHost, adminPort } = settings
  const reusePort = settings.reusePort === 'on'
  const answer503 = async (request: Pick<Request, 'url'>) => answerWhileStarting(request)
  const early: Server[] = []
  const onWait = async () => {
    const refuse = () => answer503({ url: 'http://localhost/' })
    const handlers = { fetch: answer503, refuse, limits: toLimits(settings) }
    for (const address of listAddresses(settings)) early.push(await listen({ ...handlers, ...address }))
  }
  const service = await createService(settings, {
    ...dependencies,
    output: nodeOutput,
    fetch,
    openSocket,
    onWait,
  }).finally(() => Promise.all(early.map((server) => close(server, 0))))
  starting.defer(() => service.close())
  const { fetch: serve, answer, fetchMetrics, refuse } = service
  const options = { limits: toLimits(settings), isHostAllowed: createHostCheck(settings) }
  const common = { hostname: host, refuse, ...options, ...service.connections }
  const server = await listen({ ...common, fetch: serve, answer, port, reusePort, variable: 'PORT' })
  starting.defer(() => close(server, shutdownTimeoutMs))
  const metrics =
    metricsPort === undefined
      ? undefined
      : await listen({ ...common, fetch: fetchMetrics, port: metricsPort, variable: 'METRICS_PORT' })
  if (metrics) starting.defer(() => close(metrics, metricsShutdownTimeoutMs))
  const operators =
    adminPort === undefined
      ? undefined
      : await listen({ ...common, ...service.operators, hostname: adminHost, port: adminPort, variable: 'ADMIN_PORT' })
  if (operators) starting.defer(() => close(operators, shutdownTimeoutMs))
  // The steps run in reverse order. `stop` ends the waits of broadcasts for a block, so their responses are sent before the
  // server closes.
  starting.defer(() => service.stop())
  starting.defer(() => service.drain())
  const running = starting.move()
  return {
    url: urlOf(server, host),
    adminUrl: operators && urlOf(operators, adminHost),
    metricsUrl: metrics && `${urlOf(metrics, host)}/metrics`,
    chainIds: service.chainIds,
    readHealth: service.readHealth,
    findRefusal: service.findRefusal,
    print: service.print,
    resetCircuits: service.resetCircuits,
    replaceSchedule: service.replaceSchedule,
    local: service.local,
    stop: () => running.disposeAsync(),
  }
}

export declare namespace startServer {
  type Dependencies = Pick<
    createService.Dependencies,
    'local' | 'localStack' | 'downloads' | 'resolveHost' | 'store' | 'hasNewChains' | 'nodeTimeoutMs'
  >
}

/** A server that is listening. */
export type RunningServer = {
  readonly url: string
  /** The URL for operators, if they have their own port. */
  readonly adminUrl: string | undefined
  /** The URL of the metrics, if they have their own port. */
  readonly metricsUrl: string | undefined
  /** The ids of the served chains. */
  readonly chainIds: readonly Network.ChainId[]
  /** Returns the body of `/health`, from memory. */
  readHealth(): Health
  /** Returns, from memory, why a chain is refused; undefined if no chain is refused. */
  findRefusal(): string | undefined
  /** Writes a line to the standard output, unchanged and without waiting. */
  print(line: string): void
  /** Closes the circuits of all nodes of a chain, so that the next request uses them again. */
  resetCircuits(chainId: Network.ChainId): void
  /**
   * Replaces the market hours of a feed from the next block on. An undefined schedule restores the hours of the
   * deployment.
   */
  replaceSchedule: Service['replaceSchedule']
  /** Moves the time of the service and takes snapshots of it, for a local stack. */
  readonly local: Service['local']
  /** Drains, closes the port, finishes requests in flight, flushes the usage and stops the background work. */
  stop(): Promise<void>
}

function toLimits(settings: Settings): createHttpServer.Limits {
  const { maxConnections, maxConnectionsPerAddress, trustedProxies, clientTimeoutMs } = settings
  // A proxy opens the connections of all clients.
  const maxPerAddress = trustedProxies > 0 ? Infinity : maxConnectionsPerAddress
  return { max: maxConnections, maxPerAddress, clientTimeoutMs }
}

// A browser resolves a name below localhost to this machine. Any other name may be the name of a page on the internet, which
// its owner has resolved to this machine, so that the page may read the responses.
const localHost = /^(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d*)?$/i

function createHostCheck({ allowedHosts, host }: Settings): createHttpServer.Options['isHostAllowed'] {
  if (allowedHosts === undefined) return undefined
  const own = (host.includes(':') ? `[${host}]` : host).toLowerCase()
  return (named) => localHost.test(named) || named.toLowerCase().replace(/:\d*$/, '') === own
}

function urlOf(server: Server, host: string): string {
  return toUrl({ host, port: (server.address() as AddressInfo).port })
}

type ListenOptions = createHttpServer.Options & {
  readonly port: number
  /** Whether other processes may listen on the same port. */
  readonly reusePort?: boolean
  /** The setting to name if the port is taken. */
  readonly variable: string
}

async function listen({ variable, port, reusePort = false, ...options }: ListenOptions): Promise<Server> {
  const server = createHttpServer(options)
  return await new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(new Error(formatStartError(cause, { variable, port }), { cause })))
    server.listen({ port, host: options.hostname, reusePort }, () => resolve(server))
  })
}

/**
 * Closes a server. Finishes the requests in flight, closes each connection when it becomes idle, and destroys the
 * remaining connections after the time-out.
 */
async function close(server: Server, timeoutMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const closeIdle = () => server.closeIdleConnections()
  const idleTimer = setInterval(closeIdle, 50)
  const forceTimer = setTimeout(() => server.closeAllConnections(), timeoutMs)
  closeIdle()
  await closed
  clearInterval(idleTimer)
  clearTimeout(forceTimer)
}
