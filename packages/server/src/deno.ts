// Serves on Deno, from the environment, with its own server and its own fetch: `pnpm serve:deno`.
import process from 'node:process'
import { createService } from './createService.ts'
import { readSettings } from './readSettings.ts'

declare const Deno: {
  serve(
    options: { hostname: string; port: number; onListen: (address: { hostname: string; port: number }) => void },
    handler: (request: Request) => Promise<Response>,
  ): { shutdown(): Promise<void> }
}

try {
  const settings = readSettings(process.env)
  const service = await createService(settings)
  const onListen = ({ hostname, port }: { hostname: string; port: number }) =>
    console.log(`ready on http://${hostname}:${port}`)
  const server = Deno.serve({ hostname: settings.host, port: settings.port, onListen }, service.fetch)
  const stop = () => void server.shutdown().then(() => service.stop())
  process.once('SIGINT', stop).once('SIGTERM', stop)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
