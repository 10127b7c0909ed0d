// The service on Deno, which `pnpm serve:deno` starts with the permissions that its settings need.
import process from 'node:process'
import { runServer } from './serving/runServer.ts'
import { parseServiceSettings } from './settings/parseServiceSettings.ts'
import { formatStartError } from './serving/serving.ts'
import { startDenoServer } from './deno/startDenoServer.ts'

try {
  await runServer(parseServiceSettings(process.env), startDenoServer)
} catch (error) {
  console.error(formatStartError(error))
  process.exit(1)
}
