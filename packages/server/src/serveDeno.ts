// `pnpm serve:deno`: starts the service on Deno with the permissions that its settings need.
import process from 'node:process'
import { formatCommand, toDenoCommand } from './deno/toDenoCommand.ts'
import { parseServiceSettings } from './settings/parseServiceSettings.ts'

// Prints the command with these permissions, for example for an init system.
const isPrinted = process.argv.includes('--print')

try {
  const command = toDenoCommand(parseServiceSettings(process.env))
  if (isPrinted) console.log(formatCommand(command))
  // Deno replaces this process, so it receives the signals of this process.
  else process.execve?.(command[0], command, process.env)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
