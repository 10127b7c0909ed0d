// The service on Deno, which `pnpm serve:deno` starts with the permissions that its settings need.
import process from 'node:process'
import { readArguments, wantsHelp } from './cli/runOnce.ts'
import { runServer } from './runServer.ts'
import { serveUsage } from './cli/serveUsage.ts'
import { readSettings } from './settings/readSettings.ts'
import { runWorker } from './runWorker.ts'
import { formatStartError } from './serving/serving.ts'
import { startDenoServer } from './startDenoServer.ts'
import { isDenoWorker } from './workers/isDenoWorker.ts'

if (wantsHelp(readArguments())) {
  console.log(serveUsage)
  process.exit()
}

try {
  const settings = readSettings(process.env)
  if (isDenoWorker) await runWorker(settings, startDenoServer)
  else if (settings.workers === 1) await runServer(settings, startDenoServer)
  else throw new Error('Cannot start: use "pnpm serve:deno" to start several workers')
} catch (error) {
  console.error(formatStartError(error))
  process.exit(1)
}
