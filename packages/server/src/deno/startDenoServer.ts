import { answerWhileStarting } from '@agio/api'
import { Async } from '@agio/core'
import { createService, type Service } from '../service/createService.ts'
import { createTurnQueue, queueFetch } from '../http/createTurnQueue.ts'
import { refuseUnsupported } from '../http/refuseUnsupported.ts'
import {
  formatStartError,
  listAddresses,
  metricsShutdownTimeoutMs,
  shutdownTimeoutMs,
  toUrl,
} from '../serving/serving.ts'
import type { Settings } from '../settings/Settings.ts'
import type { RunningServer } from '../serving/startServer.ts'
import { fstatSync } from 'node:fs'
import type { Output } from '../log/Output.ts'

type Address = { readonly hostname: string; readonly port: number }

declare const Deno: {
  readonly stdout: { write(bytes: Uint8Array): Promise<number>; writeSync(bytes: Uint8Array): number }
  serve(
    options: Address & { reusePort?: boolean; onListen: (address: Address) => void },
    handler: (request: Request, info: { remoteAddr: { hostname: string } }) => Promise<Response>,
  ): { shutdown(): Promise<void> }
}

/**
 * Starts the service on Deno, with Deno's server and fetch.
 *
 * @throws what `startServer` throws
 */
export async function startDenoServer(
  settings: Settings,
): Promise<Pick<RunningServer, 'url' | 'adminUrl' | 'chainIds' | 'readHealth' | 'findRefusal' | 'print' | 'stop'>> {
  const { host: hostname, port, metricsPort, adminHost, adminPort } = settings
  const reusePort = settings.reusePort === 'on'
  await using starting = new AsyncDisposableStack()
  const early: ReturnType<typeof listen>[] = []
  const onWait = async () => {
    for (const { variable, ...address } of listAddresses(settings)) {
      early.push(listen(variable, { ...address, onListen: () => {} }, async (request) => answerWhileStarting(request)))
    }
  }
  const closeEarly = () => Promise.all(early.map((server) => server.shutdown()))
  const service = await createService(settings, { output, onWait }).finally(closeEarly)
  starting.defer(() => service.close())
  if (metricsPort !== undefined) {
    const options = { hostname, port: metricsPort, onListen: () => {} }
    const metrics = listen('METRICS_PORT', options, service.fetchMetrics)
    starting.defer(() => close(metrics, metricsShutdownTimeoutMs))
  }
  const addTask = createTurnQueue()
  function serve(variable: string, address: Address & { reusePort?: boolean }, handlers: Pick<Service, 'fetch'>) {
    let url = ''
    const onListen = ({ hostname: host, port }: Address) => (url = toUrl({ host, port }))
    const fetch = queueFetch(refuseUnsupported({ fetch: handlers.fetch, refuse: service.refuse }), addTask)
    const server = listen(variable, { ...address, onListen }, (request, { remoteAddr }) =>
      fetch(request, remoteAddr.hostname),
    )
    starting.defer(() => close(server, shutdownTimeoutMs))
    return url
  }
  const url = serve('PORT', { hostname, port, reusePort }, service)
  const adminUrl =
    adminPort === undefined
      ? undefined
      : serve('ADMIN_PORT', { hostname: adminHost, port: adminPort }, service.operators)
  // First, the service ends the waits of broadcasts for a block, so their responses are sent before the server closes.
  starting.defer(() => service.stop())
  starting.defer(() => service.drain())
  const running = starting.move()
  const { chainIds, readHealth, findRefusal, print } = service
  return { url, adminUrl, chainIds, readHealth, findRefusal, print, stop: () => running.disposeAsync() }
}

/** The standard output on Deno. Its writes wait in their own thread. */
const output: Output = {
  write: async (bytes) => await Deno.stdout.write(bytes),
  writeLast(bytes) {
    // A pipe may block.
    if (!fstatSync(1).isFile()) return
    try {
      Deno.stdout.writeSync(bytes)
    } catch {}
  },
}

function listen(
  variable: string,
  options: Parameters<typeof Deno.serve>[0],
  handler: Parameters<typeof Deno.serve>[1],
) {
  try {
    return Deno.serve(options, handler)
  } catch (cause) {
    throw new Error(formatStartError(cause, { variable, port: options.port }), { cause })
  }
}

/** Closes a server. Finishes the requests in flight, up to the time-out. */
async function close(server: { shutdown(): Promise<void> }, timeoutMs: number): Promise<void> {
  await Async.waitAtMost(timeoutMs, server.shutdown())
}
