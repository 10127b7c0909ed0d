// Serves on Deno, from the environment, with its own server and its own fetch: `pnpm serve:deno`.
import process from 'node:process'
import { createService } from './createService.ts'
import { describeStartError } from './describeStartError.ts'
import { readSettings } from './readSettings.ts'

declare const Deno: {
  serve(
    options: { hostname: string; port: number; onListen: (address: { hostname: string; port: number }) => void },
    handler: (request: Request) => Promise<Response>,
  ): { shutdown(): Promise<void> }
}

await using starting = new AsyncDisposableStack()
try {
  const settings = readSettings(process.env)
  const service = await createService(settings)
  starting.defer(() => service.stop())
  const onListen = ({ hostname, port }: { hostname: string; port: number }) =>
    console.log(`ready on http://${hostname}:${port}`)
  const server = Deno.serve({ hostname: settings.host, port: settings.port, onListen }, service.fetch)
  const running = starting.move()
  const stop = async () => {
    await running.disposeAsync()
    await server.shutdown()
  }
  process.once('SIGINT', () => void stop()).once('SIGTERM', () => void stop())
} catch (error) {
  console.error(describeStartError(error, process.env))
  process.exitCode = 1
}
