// `pnpm serve:deno`: starts the service on Deno, as one or several processes, with the permissions that its settings
// need.
import process from 'node:process'
import { ignoreOutputErrors } from './cli/command.ts'
import { formatCommand, toDenoCommand } from './deno/toDenoCommand.ts'
import { parseServiceSettings } from './settings/parseServiceSettings.ts'
import type { Settings } from './settings/Settings.ts'
import { superviseWorkers } from './workers/superviseWorkers.ts'
import { forkDenoWorker } from './workers/denoWorker.ts'

// Prints the command with these permissions, for example for an init system.
const isPrinted = process.argv.includes('--print')

try {
  const settings = parseServiceSettings(process.env)
  const { workers } = settings
  if (workers > 1) await supervise(settings, workers)
  else {
    const command = toDenoCommand(settings)
    if (isPrinted) console.log(formatCommand(command))
    // Deno replaces this process, so it receives the signals of this process.
    else process.execve?.(command[0], command, process.env)
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

async function supervise(settings: Settings, workers: number): Promise<void> {
  if (isPrinted) {
    throw new Error(
      `Cannot print one command: WORKERS is ${workers}, and "pnpm serve:deno" starts each worker as its own process`,
    )
  }
  if (process.platform !== 'linux') {
    throw new Error(
      'Cannot start: WORKERS on Deno needs Linux, where processes can share a port. Start replicas instead',
    )
  }
  ignoreOutputErrors()
  await superviseWorkers(settings, forkDenoWorker)
}
