// The service on Deno, which `pnpm serve:deno` starts with the permissions that its settings need.
import process from 'node:process'
import { runServer } from './serving/runServer.ts'
import { parseServiceSettings } from './settings/parseServiceSettings.ts'
import { runWorker } from './workers/runWorker.ts'
import { formatStartError } from './serving/serving.ts'
import { startDenoServer } from './deno/startDenoServer.ts'
import { isDenoWorker } from './workers/denoWorker.ts'

try {
  const settings = parseServiceSettings(process.env)
  if (isDenoWorker) await runWorker(settings, startDenoServer)
  else if (settings.workers === 1) await runServer(settings, startDenoServer)
  else throw new Error('Cannot start: use "pnpm serve:deno" to start several workers')
} catch (error) {
  console.error(formatStartError(error))
  process.exit(1)
}
