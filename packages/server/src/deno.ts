// Serves on Deno, from the environment, with its own server and its own fetch: `pnpm serve:deno`.
import process from 'node:process'
import { createService } from './createService.ts'
import { describeStartError } from './describeStartError.ts'
import { readSettings } from './readSettings.ts'

declare const Deno: {
  serve(
    options: { hostname: string; port: number; onListen: (address: { hostname: string; port: number }) => void },
    handler: (request: Request, info: { remoteAddr: { hostname: string } }) => Promise<Response>,
  ): { shutdown(): Promise<void> }
}

await using starting = new AsyncDisposableStack()
try {
  const settings = readSettings(process.env)
  const { host: hostname, port, metricsPort } = settings
  const service = await createService(settings)
  starting.defer(() => service.close())
  if (metricsPort !== undefined) {
    const onListen = () => {}
    const metrics = Deno.serve({ hostname, port: metricsPort, onListen }, service.fetchMetrics)
    starting.defer(() => metrics.shutdown())
  }
  const onListen = (address: { hostname: string; port: number }) =>
    console.log(`ready on http://${address.hostname}:${address.port}`)
  const server = Deno.serve({ hostname, port, onListen }, (request, { remoteAddr }) =>
    service.fetch(request, remoteAddr.hostname),
  )
  starting.defer(() => server.shutdown())
  // What waits for a block stops waiting first, so that its answer is sent before the server closes.
  starting.defer(() => service.stop())
  const running = starting.move()
  const stop = () => void running.disposeAsync()
  process.once('SIGINT', stop).once('SIGTERM', stop)
} catch (error) {
  console.error(describeStartError(error, process.env))
  process.exitCode = 1
}
