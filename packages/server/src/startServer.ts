import type { AddressInfo } from 'node:net'
import { serve, type ServerType } from '@hono/node-server'
import { Agent, fetch as undiciFetch } from 'undici'
import { createService } from './createService.ts'
import { describeStartError } from './describeStartError.ts'
import type { Settings } from './Settings.ts'

/**
 * Serves on Node, with a connection pool of its own to the nodes.
 *
 * @throws `Error` if the port is taken or a deployment file is wrong
 */
export async function startServer(settings: Settings): Promise<RunningServer> {
  const dispatcher = new Agent({ connections: 64 })
  const fetch = ((input: string, init: object) =>
    undiciFetch(input, { ...init, dispatcher })) as unknown as typeof globalThis.fetch
  await using starting = new AsyncDisposableStack()
  starting.defer(() => dispatcher.close())
  const service = await createService(settings, fetch)
  starting.defer(() => service.stop())
  const { host, port } = settings
  const server = await listen({ fetch: service.fetch, hostname: host, port })
  const address = server.address() as AddressInfo
  starting.defer(() => close(server))
  // Undone in reverse: what waits for a block stops waiting first, so that its answer is sent before the server closes.
  starting.defer(() => service.stop())
  const running = starting.move()
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    stop: () => running.disposeAsync(),
  }
}

export type RunningServer = {
  readonly url: string
  /** Takes no new requests, finishes those in flight, and ends what runs in the background. */
  stop(): Promise<void>
}

async function listen(options: Parameters<typeof serve>[0] & { port: number }): Promise<ServerType> {
  return await new Promise((resolve, reject) => {
    const server = serve(options, () => resolve(server))
    server.once('error', (cause) => {
      reject(new Error(describeStartError(cause, { PORT: String(options.port) }), { cause }))
    })
  })
}

/** Closes a server once its requests are answered: connections are kept alive, and closed as they fall idle. */
async function close(server: ServerType): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const closeIdle = () => 'closeIdleConnections' in server && server.closeIdleConnections()
  const timer = setInterval(closeIdle, 50)
  closeIdle()
  await closed
  clearInterval(timer)
}
