// `pnpm serve:deno`: starts the service on Deno with the permissions that its settings need.
import process from 'node:process'
import { readArguments, wantsHelp } from './cli/runOnce.ts'
import { serveUsage } from './cli/serveUsage.ts'
import { formatCommand, toDenoCommand } from './toDenoCommand.ts'
import { readSettings } from './readSettings.ts'

const args = readArguments()
if (wantsHelp(args)) {
  console.log(serveUsage)
  process.exit()
}

try {
  const command = toDenoCommand(readSettings(process.env))
  if (args.includes('--print')) console.log(formatCommand(command))
  // Deno takes the place of this process, and so receives its signals.
  else process.execve?.(command[0], command, process.env)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
