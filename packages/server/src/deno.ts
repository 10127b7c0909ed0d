// Serves on Deno, from the environment, with its own server and its own fetch: `pnpm serve:deno`.
import process from 'node:process'
import { closeWithinMs } from './closeWithinMs.ts'
import { createService } from './createService.ts'
import { describeStartError } from './describeStartError.ts'
import { formatReadiness, waitUntilHealthy } from './readiness.ts'
import { readSettings } from './readSettings.ts'

type Address = { readonly hostname: string; readonly port: number }

declare const Deno: {
  serve(
    options: Address & { onListen: (address: Address) => void },
    handler: (request: Request, info: { remoteAddr: { hostname: string } }) => Promise<Response>,
  ): { shutdown(): Promise<void> }
  exit(code: number): never
}

await using starting = new AsyncDisposableStack()
try {
  const settings = readSettings(process.env)
  const { host: hostname, port, metricsPort } = settings
  const service = await createService(settings)
  starting.defer(() => service.close())
  if (metricsPort !== undefined) {
    const metrics = listen('METRICS_PORT', { hostname, port: metricsPort, onListen: () => {} }, service.fetchMetrics)
    starting.defer(() => close(metrics))
  }
  let url = ''
  const onListen = (address: Address) => (url = `http://${address.hostname}:${address.port}`)
  const server = listen('PORT', { hostname, port, onListen }, (request, { remoteAddr }) =>
    service.fetch(request, remoteAddr.hostname),
  )
  starting.defer(() => close(server))
  // What waits for a block stops waiting first, so that its answer is sent before the server closes.
  starting.defer(() => service.stop())
  const running = starting.move()
  const stopping = new AbortController()
  const stop = async () => {
    stopping.abort()
    await running.disposeAsync()
    // A connection that a client has left half-way would keep the process.
    Deno.exit(0)
  }
  process.once('SIGINT', () => void stop()).once('SIGTERM', () => void stop())
  const health = await waitUntilHealthy(service.readHealth, { timeoutMs: 5000, signal: stopping.signal })
  if (!stopping.signal.aborted) console.log(`${formatReadiness(health)} on ${url}`)
} catch (error) {
  console.error(describeStartError(error))
  process.exitCode = 1
}

function listen(
  variable: string,
  options: Parameters<typeof Deno.serve>[0],
  handler: Parameters<typeof Deno.serve>[1],
) {
  try {
    return Deno.serve(options, handler)
  } catch (cause) {
    throw new Error(describeStartError(cause, { variable, port: options.port }), { cause })
  }
}

/** Closes a server once its requests are answered; what a client has begun and does not finish is not waited for. */
async function close(server: { shutdown(): Promise<void> }): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, closeWithinMs)))
  await Promise.race([server.shutdown(), late])
  clearTimeout(timer)
}
