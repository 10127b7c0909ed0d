import type { AddressInfo } from 'node:net'
import type { Health } from '@agio/api'
import type { ChainId } from '@agio/core'
import { serve, type HttpBindings, type ServerType } from '@hono/node-server'
import { Agent, fetch as undiciFetch } from 'undici'
import { closeWithinMs } from './closeWithinMs.ts'
import { createSocketOpener } from './createSocketOpener.ts'
import { createService } from './createService.ts'
import { describeStartError } from './describeStartError.ts'
import type { Settings } from './Settings.ts'
import { toUrl } from './toUrl.ts'

/**
 * Serves on Node, with connections of its own to the nodes.
 *
 * @throws `Error` if a port is taken, a deployment file is wrong, or the database cannot be opened
 */
export async function startServer(
  settings: Settings,
  parts: Pick<createService.Parts, 'callRest' | 'local'> = {},
): Promise<RunningServer> {
  const dispatcher = new Agent({ connections: 64 })
  const fetch = ((input: string, init: object) =>
    undiciFetch(input, { ...init, dispatcher })) as unknown as typeof globalThis.fetch
  await using starting = new AsyncDisposableStack()
  starting.defer(() => dispatcher.close())
  const { openSocket, breakOff } = createSocketOpener()
  starting.defer(breakOff)
  const service = await createService(settings, { ...parts, fetch, openSocket })
  starting.defer(() => service.close())
  const { host, port, metricsPort } = settings
  const server = await listen({
    fetch: (request, { incoming }: HttpBindings) => service.fetch(request, incoming.socket.remoteAddress ?? ''),
    hostname: host,
    port,
    variable: 'PORT',
  })
  starting.defer(() => close(server))
  const metrics =
    metricsPort === undefined
      ? undefined
      : await listen({ fetch: service.fetchMetrics, hostname: host, port: metricsPort, variable: 'METRICS_PORT' })
  if (metrics) starting.defer(() => close(metrics))
  // Undone in reverse: what waits for a block stops waiting first, so that its answer is sent before the server closes.
  starting.defer(() => service.stop())
  const running = starting.move()
  return {
    url: urlOf(server, host),
    metricsUrl: metrics && `${urlOf(metrics, host)}/metrics`,
    readHealth: service.readHealth,
    forgetFaults: service.forgetFaults,
    stop: () => running.disposeAsync(),
  }
}

export type RunningServer = {
  readonly url: string
  /** Where the figures of Prometheus are, if they have a port of their own. */
  readonly metricsUrl: string | undefined
  /** Returns the body of `/health`, from memory. */
  readHealth(): Health
  /** Asks every node of a chain again, whatever has befallen it. */
  forgetFaults(chainId: ChainId): void
  /** Takes no new requests, finishes those in flight, writes what was counted, and ends what runs in the background. */
  stop(): Promise<void>
}

function urlOf(server: ServerType, host: string): string {
  return toUrl({ host, port: (server.address() as AddressInfo).port })
}

type ListenOptions = {
  readonly fetch: (request: Request, env: HttpBindings) => Promise<Response>
  readonly hostname: string
  readonly port: number
  /** Which setting to name if the port is taken. */
  readonly variable: string
}

async function listen({ variable, ...options }: ListenOptions): Promise<ServerType> {
  return await new Promise((resolve, reject) => {
    const server = serve(options as Parameters<typeof serve>[0], () => resolve(server))
    server.once('error', (cause) => {
      reject(new Error(describeStartError(cause, { variable, port: options.port }), { cause }))
    })
  })
}

/**
 * Closes a server once its requests are answered: connections are kept alive, and closed as they fall idle. What a client
 * has begun and does not finish is broken off in the end.
 */
async function close(server: ServerType): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const closeIdle = () => 'closeIdleConnections' in server && server.closeIdleConnections()
  const idle = setInterval(closeIdle, 50)
  const late = setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), closeWithinMs)
  closeIdle()
  await closed
  clearInterval(idle)
  clearTimeout(late)
}
