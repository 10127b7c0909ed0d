// `pnpm serve:deno`: the service on Deno's own server and fetch, with its settings from the environment.
import process from 'node:process'
import { readArguments, wantsHelp } from './cli/runOnce.ts'
import { serveUsage } from './cli/serveUsage.ts'
import { stopOnSignal } from './cli/stopOnSignal.ts'
import { createService } from './createService.ts'
import { refuseUnsupported } from './http/refuseUnsupported.ts'
import { denoOutput } from './output/denoOutput.ts'
import { formatReadiness, waitUntilHealthy } from './serving/readiness.ts'
import { readSettings } from './readSettings.ts'
import {
  formatConsole,
  formatNetworks,
  formatStartError,
  metricsShutdownTimeoutMs,
  shutdownTimeoutMs,
  toStopLimitMs,
  toUrl,
} from './serving/serving.ts'

type Address = { readonly hostname: string; readonly port: number }

declare const Deno: {
  serve(
    options: Address & { onListen: (address: Address) => void },
    handler: (request: Request, info: { remoteAddr: { hostname: string } }) => Promise<Response>,
  ): { shutdown(): Promise<void> }
}

if (wantsHelp(readArguments())) {
  console.log(serveUsage)
  process.exit()
}

await using starting = new AsyncDisposableStack()
try {
  const settings = readSettings(process.env)
  const { host: hostname, port, metricsPort, workers = 1 } = settings
  if (workers > 1) throw new Error('Cannot start: WORKERS is for Node. On Deno, start several replicas')
  const service = await createService(settings, { output: denoOutput })
  starting.defer(() => service.close())
  if (metricsPort !== undefined) {
    const metrics = listen('METRICS_PORT', { hostname, port: metricsPort, onListen: () => {} }, service.fetchMetrics)
    starting.defer(() => close(metrics, metricsShutdownTimeoutMs))
  }
  let url = ''
  const onListen = ({ hostname: host, port }: Address) => (url = toUrl({ host, port }))
  const fetch = refuseUnsupported(service)
  const server = listen('PORT', { hostname, port, onListen }, (request, { remoteAddr }) =>
    fetch(request, remoteAddr.hostname),
  )
  starting.defer(() => close(server, shutdownTimeoutMs))
  // Broadcasts stop waiting for a block first, so that they are answered before the server closes.
  starting.defer(() => service.stop())
  starting.defer(() => service.drain())
  const running = starting.move()
  const signal = stopOnSignal(() => running.disposeAsync(), toStopLimitMs(settings))
  service.print(formatNetworks(service.chainIds))
  const consoleLine = formatConsole(url, settings.consoleDir)
  if (consoleLine !== undefined) service.print(consoleLine)
  const health = await waitUntilHealthy(service.readHealth, { timeoutMs: 5000, signal })
  if (!signal.aborted) service.print(`${formatReadiness(health)} on ${url}`)
} catch (error) {
  console.error(formatStartError(error))
  process.exit(1)
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

/** Closes a server: finishes the requests in flight, and gives up after the time-out. */
async function close(server: { shutdown(): Promise<void> }, timeoutMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)))
  await Promise.race([server.shutdown(), late])
  clearTimeout(timer)
}
